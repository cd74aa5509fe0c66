import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { apiDefinition } from "../api/api-definition.ts";
import { CustomDomain } from "../constructs/custom-domain.ts";
import { functionLogs } from "../constructs/function-logs.ts";
import type { FunctionSurroundings } from "../constructs/function-maker.ts";
import { GatewayRole } from "../constructs/gateway-role.ts";
import { httpFunction } from "../constructs/http-function.ts";
import { ProductRestApi } from "../constructs/rest-api.ts";
import { callerConcurrency, callerSlots } from "../functions/concurrency.ts";
import { methodsByResource } from "../functions/function-records.ts";
import type { Product } from "../functions/product.ts";
import { deriveDistributionUrl, derivePublicUrl } from "../settings/public-url.ts";

/** The API and its functions. */
export class ApiStack extends Stack {
  readonly restApiId: string;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & FunctionSurroundings & { product: Product; basePath: string },
  ) {
    super(scope, id, props);
    const { config, product, basePath } = props;
    const methods = methodsByResource(product.http);
    const surroundings = { ...props, logGroup: functionLogs(this, config.LOG_RETENTION_DAYS) };
    const reserved = callerConcurrency(product.http, config);
    const slots = callerSlots(product.http, config);
    const functions = new Map(
      product.http.map((record) => [
        record.name,
        httpFunction(this, record, methods.get(record.resource) ?? {}, {
          ...surroundings,
          reservedConcurrency: reserved.get(record.name),
          tenantSlots: slots.get(record.name),
        }),
      ]),
    );
    const role = new GatewayRole(
      this,
      "Gateway",
      [...functions.values()].map(({ lambda }) => lambda.functionArn),
    );
    const api = new ProductRestApi(this, "Api", {
      prefix: config.STACK_PREFIX,
      logRetention: config.LOG_RETENTION_DAYS,
      distributionUrl: deriveDistributionUrl(config),
      definition: apiDefinition({
        name: config.STACK_PREFIX,
        functions: product.http,
        fallback: "get-health",
        getFunctionArn: (name) => functions.get(name)?.lambda.functionArn ?? "",
        credentials: role.roleArn,
        rateLimit: config.RATE_LIMIT_UNAUTHENTICATED_REQUESTS,
        basePath,
      }),
    });
    const { DOMAIN_NAME: domainName, DOMAIN_CERTIFICATE_ARN: certificateArn } = config;
    if (domainName !== undefined && certificateArn !== undefined) {
      new CustomDomain(this, "Domain", {
        api,
        stage: api.deploymentStage,
        domainName,
        certificateArn,
        hostedZoneId: config.DOMAIN_HOSTED_ZONE_ID,
      });
    }
    this.restApiId = api.restApiId;
    new CfnOutput(this, "ApiUrl", { value: api.url });
    new CfnOutput(this, "PublicUrl", {
      value: derivePublicUrl(config) ?? deriveDistributionUrl(config) ?? api.url,
    });
  }
}
