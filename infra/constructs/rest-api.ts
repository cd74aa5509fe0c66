import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
} from "aws-cdk-lib/aws-apigateway";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import { RemovalPolicy } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { apiName, stageName } from "../names.ts";
import { acknowledge } from "./acknowledge.ts";

/** What the REST API is made from. */
export type RestApiProps = {
  prefix: string;
  definition: Record<string, unknown>;
  logRetention: RetentionDays;
};

/** One line for each call. The path as it came in may hold a key, so the resource stands in for it. */
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

/** Calls per second, and how many at once, for the whole API; tenants' own limits are far below. */
const throttling = { throttlingRateLimit: 1_000, throttlingBurstLimit: 2_000 };

/**
 * The REST API: regional, since only such an API streams for minutes, with one stage. Execution logs and
 * traces are off: the first would hold paths and bodies, the second cost by the call.
 */
export class ProductRestApi extends SpecRestApi {
  constructor(scope: Construct, id: string, { prefix, definition, logRetention }: RestApiProps) {
    const accessLogs = new LogGroup(scope, `${id}AccessLog`, {
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    super(scope, id, {
      restApiName: apiName(prefix),
      apiDefinition: ApiDefinition.fromInline(definition),
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      deployOptions: {
        stageName,
        ...throttling,
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        accessLogFormat: AccessLogFormat.custom(accessLog),
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        tracingEnabled: false,
      },
    });
    // The stack's own output has a name that does not change.
    this.node.tryRemoveChild("Endpoint");
    acknowledge(this, "APIG2", "Each function checks its whole request by the row's schemas.");
    acknowledge(
      this,
      "APIG3",
      "A firewall is a choice of the deployment; limits are counted by key.",
    );
    acknowledge(this, "APIG6", "Execution logs would hold paths with keys, and bodies.");
    acknowledge(
      this,
      "IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      "API Gateway takes one role per account for its logs; this policy is the one that AWS names for it.",
    );
  }
}
