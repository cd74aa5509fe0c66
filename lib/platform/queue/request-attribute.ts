import type { SQSRecord } from "aws-lambda";
import { currentRequestId } from "../runtime/request-scope.ts";

/** Name of the message attribute with the id of the request that caused the message. */
const requestAttribute = "RequestId";

/** Builds the message attribute of a request's id; none outside of a request. */
export const requestAttributes = (
  requestId = currentRequestId(),
): Record<string, { DataType: string; StringValue: string }> =>
  requestId === undefined
    ? {}
    : { [requestAttribute]: { DataType: "String", StringValue: requestId } };

/** Returns the id of the request that caused a message. */
export const readRequestId = ({ messageAttributes }: SQSRecord): string | undefined =>
  messageAttributes[requestAttribute]?.stringValue;
