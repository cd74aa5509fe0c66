import { Aws } from "aws-cdk-lib/core";

/** ARN of a Lambda function; may be a token. */
export type LambdaArn = string;

/** Longest that a REST API waits for a whole answer without a raised quota. */
const wholeAnswerMilliseconds = 29_000;
/** Longest that a REST API streams an answer. */
const streamedAnswerMilliseconds = 15 * 60 * 1_000;

/** How API Gateway calls a function; a streamed answer has another URI, mode and time. */
export const integration = (lambda: LambdaArn, { streaming = false }: { streaming?: boolean }) => {
  const invocation = streaming
    ? `2021-11-15/functions/${lambda}/response-streaming-invocations`
    : `2015-03-31/functions/${lambda}/invocations`;
  return {
    type: "aws_proxy",
    httpMethod: "POST",
    uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${invocation}`,
    passthroughBehavior: "when_no_match",
    timeoutInMillis: streaming ? streamedAnswerMilliseconds : wholeAnswerMilliseconds,
    ...(streaming && { responseTransferMode: "STREAM" }),
  };
};
