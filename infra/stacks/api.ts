import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { apiDefinition } from "../api/api-definition.ts";
import { functionArn } from "../api/function-arn.ts";
import { CustomDomain } from "../constructs/custom-domain.ts";
import { GatewayRole } from "../constructs/gateway-role.ts";
import { RequestCap } from "../constructs/request-cap.ts";
import { ProductRestApi } from "../constructs/rest-api.ts";
import type { Product } from "../functions/product.ts";
import type { Config } from "../settings/config.ts";
import { functionName } from "../settings/names.ts";
import { deriveDistributionUrl, derivePublicUrl } from "../settings/public-url.ts";

/** The API. Its functions are in the stacks of their areas. */
export class ApiStack extends Stack {
  readonly restApiId: string;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & {
      config: Config;
      product: Product;
      basePath: string;
      /** Reference to the secret by which the distribution identifies itself; undefined without a distribution. */
      originSecret: string | undefined;
    },
  ) {
    super(scope, id, props);
    const { config, product, basePath, originSecret } = props;
    const arnFor = (name: string) => functionArn(functionName(config.STACK_PREFIX, name));
    const role = new GatewayRole(
      this,
      "Gateway",
      product.http.map(({ name }) => arnFor(name)),
    );
    const api = new ProductRestApi(this, "Api", {
      prefix: config.STACK_PREFIX,
      logRetention: config.LOG_RETENTION_DAYS,
      distributionUrl: deriveDistributionUrl(config),
      hasDomain: config.DOMAIN_NAME !== undefined,
      definition: apiDefinition({
        name: config.STACK_PREFIX,
        functions: product.http,
        fallback: "get-health",
        getFunctionArn: arnFor,
        credentials: role.roleArn,
        rateLimit: config.RATE_LIMIT_UNAUTHENTICATED_REQUESTS,
        basePath,
        distributionSecret: hasOnlyDistribution(config) ? originSecret : undefined,
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
    if (config.MAX_REQUESTS_PER_MINUTE !== undefined) {
      new RequestCap(this, "RequestCap", {
        stage: api.deploymentStage,
        limit: config.MAX_REQUESTS_PER_MINUTE,
        name: `${config.STACK_PREFIX}-api`,
      });
    }
    this.restApiId = api.restApiId;
    new CfnOutput(this, "ApiUrl", { value: api.url });
    new CfnOutput(this, "PublicUrl", {
      value: derivePublicUrl(config) ?? deriveDistributionUrl(config) ?? api.url,
    });
  }
}

/** Whether clients reach the API only through the distribution: no domain and no proxy of the operator is in front. */
const hasOnlyDistribution = (config: Config): boolean => derivePublicUrl(config) === undefined;
