import { Aws } from "aws-cdk-lib/core";

/** ARN of a Lambda function; may be a token. */
export type LambdaArn = string;

/** Maximum integration timeout of a REST API without a raised quota. */
const maxResponseMilliseconds = 29_000;
/** Maximum duration of a streamed response of a REST API. */
const maxStreamMilliseconds = 15 * 60 * 1_000;

/** Options of an integration. */
export type IntegrationOptions = {
  /** ARN of the role in which the gateway invokes the function. */
  credentials: string;
  streaming?: boolean;
};

/** Returns the integration of a function; a streamed response has another URI, mode and timeout. */
export const integration = (
  lambda: LambdaArn,
  { credentials, streaming = false }: IntegrationOptions,
) => {
  const invocation = streaming
    ? `2021-11-15/functions/${lambda}/response-streaming-invocations`
    : `2015-03-31/functions/${lambda}/invocations`;
  return {
    type: "aws_proxy",
    httpMethod: "POST",
    uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${invocation}`,
    credentials,
    passthroughBehavior: "when_no_match",
    timeoutInMillis: streaming ? maxStreamMilliseconds : maxResponseMilliseconds,
    ...(streaming && { responseTransferMode: "STREAM" }),
  };
};
