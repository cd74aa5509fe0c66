import type { ServerResponse } from "node:http";

/** Answers in the JSON protocol of DynamoDB, SQS and KMS. */
export const answerJson = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/x-amz-json-1.0",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
};

/** Answers with an error as those services name it. */
export const answerError = (
  response: ServerResponse,
  type: string,
  message: string,
  status = 400,
): void => answerJson(response, status, { __type: type, message, Message: message });

/** The words of AWS for a call that no policy allows. */
export const deniedMessage = (caller: string, action: string, resource: string): string =>
  `User: ${caller} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
