import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { apiDefinition } from "../api/api-definition.ts";
import { functionArn } from "../api/function-arn.ts";
import { CustomDomain } from "../constructs/custom-domain.ts";
import { GatewayRole } from "../constructs/gateway-role.ts";
import { ProductRestApi } from "../constructs/rest-api.ts";
import { WebAcl } from "../constructs/web-acl.ts";
import { type WebAclRules, webAclRules } from "../constructs/web-acl-rules.ts";
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
    const rules = webAclFor(config, product, originSecret);
    if (webAclRules(rules).length > 0) {
      // A stage has one web ACL: under another id, the association of the earlier one would be deleted last, and with it this one.
      new WebAcl(this, "RequestCap", { stage: api.deploymentStage, basePath, ...rules });
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

/** Returns the rules of the web ACL that the settings ask for. The addresses of a proxy's clients are the proxy's to limit. */
export const webAclFor = (
  config: Config,
  { http }: Pick<Product, "http">,
  distributionSecret: string | undefined,
): WebAclRules => ({
  name: `${config.STACK_PREFIX}-api`,
  sources: {
    distributionSecret,
    hasDirectClients:
      config.DOMAIN_NAME !== undefined ||
      (config.PUBLIC_URL === undefined && distributionSecret === undefined),
  },
  maxRequests: config.MAX_REQUESTS_PER_MINUTE,
  protection: config.WEB_ACL
    ? {
        maxAddressRequests: config.MAX_ADDRESS_REQUESTS_PER_MINUTE,
        inboundPaths: http
          .filter(({ rows }) => rows.some(({ inbound }) => inbound))
          .map(({ resource }) => resource),
      }
    : undefined,
});
