import {
  AccessLogFormat,
  ApiDefinition,
  CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SecurityPolicy,
  SpecRestApi,
} from "aws-cdk-lib/aws-apigateway";
import { FilterPattern, MetricFilter, type RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { brokenCalls } from "../operations/metric-rows.ts";
import { apiName, metricsNamespace, stageName } from "../settings/names.ts";
import { acknowledge } from "./acknowledge.ts";
import { stackLogs } from "./stack-logs.ts";

/** Properties of the REST API. */
export type RestApiProps = {
  prefix: string;
  definition: Record<string, unknown>;
  logRetention: RetentionDays;
  /** Public base URL of a distribution in front of the stage, for the addresses in responses. */
  distributionUrl: string | undefined;
  /** Whether clients reach the API only at its custom domain. */
  hasDomain: boolean;
};

/** One line per call, with the resource in place of the path, which may contain a key. */
const accessLog = JSON.stringify({
  requestId: "$context.requestId",
  method: "$context.httpMethod",
  resource: "$context.resourcePath",
  status: "$context.status",
  error: "$context.error.responseType",
  integrationStatus: "$context.integration.status",
  integrationRequestId: "$context.integration.requestId",
  integrationLatencyMs: "$context.integration.latency",
  latencyMs: "$context.responseLatency",
  responseBytes: "$context.responseLength",
  sourceIp: "$context.identity.sourceIp",
});

/**
 * TLS 1.3, or TLS 1.2 with forward secrecy, with post-quantum key exchange if the client offers it; the server name of
 * the handshake must be the host of the request. Without a policy, a regional API accepts TLS 1.0 (API Gateway Developer
 * Guide, "Supported security policies").
 */
export const transportSecurity = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
};

/** Log lines of calls with a response of the gateway in place of the function's: `error` is the type of the gateway's response. */
const brokenCallPattern = '{ $.status = "5*" && $.error != "-" }';

/** Requests per second and burst of the whole API; limits of tenants are far lower. */
const throttling = { throttlingRateLimit: 1_000, throttlingBurstLimit: 2_000 };

/**
 * The REST API with one stage. Regional, because only a regional API streams for minutes. Execution logs are off, as
 * they contain paths and bodies; traces are off, as they cost per call.
 */
export class ProductRestApi extends SpecRestApi {
  constructor(
    scope: Construct,
    id: string,
    { prefix, definition, logRetention, distributionUrl, hasDomain }: RestApiProps,
  ) {
    const accessLogs = stackLogs(scope, `${id}AccessLog`, logRetention);
    new MetricFilter(scope, `${id}BrokenCalls`, {
      logGroup: accessLogs,
      filterPattern: FilterPattern.literal(brokenCallPattern),
      metricNamespace: metricsNamespace(prefix),
      metricName: brokenCalls,
      metricValue: "1",
    });
    super(scope, id, {
      restApiName: apiName(prefix),
      apiDefinition: ApiDefinition.fromInline(definition),
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: hasDomain,
      cloudWatchRole: true,
      deployOptions: {
        stageName,
        ...(distributionUrl !== undefined && { variables: { publicUrl: distributionUrl } }),
        ...throttling,
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        accessLogFormat: AccessLogFormat.custom(accessLog),
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        tracingEnabled: false,
      },
    });
    if (this.node.defaultChild instanceof CfnRestApi) {
      Object.assign(this.node.defaultChild, transportSecurity);
    }
    // Replaced by the stack's output, which has a stable name.
    this.node.tryRemoveChild("Endpoint");
    acknowledge(
      this,
      "APIG2",
      "Each function validates its whole request with the schemas of its row.",
    );
    acknowledge(this, "APIG3", "WEB_ACL is a choice of the deployment; rate limits apply per key.");
    acknowledge(this, "APIG6", "Execution logs would contain paths with keys, and bodies.");
    acknowledge(
      this,
      "IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      "API Gateway uses one role per account for logs, with the policy that AWS documents.",
    );
  }
}
