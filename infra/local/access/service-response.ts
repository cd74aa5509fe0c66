import type { ServerResponse } from "node:http";

/** Sends a response in the JSON protocol of DynamoDB, SQS and KMS. */
export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/x-amz-json-1.0",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
};

/** Sends an error response in that protocol. */
export const sendError = (
  response: ServerResponse,
  type: string,
  message: string,
  status = 400,
): void => sendJson(response, status, { __type: type, message, Message: message });

/** Returns AWS's message for a call that no policy allows. */
export const deniedMessage = (caller: string, action: string, resource: string): string =>
  `User: ${caller} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
