import type { IncomingMessage, ServerResponse } from "node:http";
import type { Pool } from "undici";
import { readAccessKeyId } from "../access/caller.ts";
import { type PartitionKeys, parseDynamodbAccess } from "../access/dynamodb.ts";
import type { Guard } from "../access/guard.ts";
import { sendError } from "../access/service-response.ts";

/** Header that names the operation. */
const target = "x-amz-target";

/** Handles a DynamoDB request. */
export type DynamodbEndpoint = (
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
) => Promise<void>;

/** Creates the DynamoDB endpoint: forwards calls that the caller's policies allow to the engine. */
export const createDynamodbEndpoint =
  (engine: Pool, guard: Guard, partitionKeys: PartitionKeys): DynamodbEndpoint =>
  async (request, body, response) => {
    const operation = String(request.headers[target]).split(".")[1] ?? "";
    const accesses = parseDynamodbAccess(operation, body, partitionKeys);
    if (accesses === undefined) {
      sendError(
        response,
        "com.amazon.coral.service#UnknownOperationException",
        `${operation} is not supported`,
      );
      return;
    }
    const refusal = guard(readAccessKeyId(request.headers.authorization), accesses);
    if (refusal !== undefined) {
      sendError(response, "com.amazon.coral.service#AccessDeniedException", refusal);
      return;
    }
    const result = await engine.request({
      path: "/",
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.0",
        [target]: String(request.headers[target]),
        authorization: request.headers.authorization ?? "",
        "x-amz-date": String(request.headers["x-amz-date"] ?? ""),
      },
      body,
    });
    const content = await result.body.bytes();
    response.writeHead(result.statusCode, {
      "content-type": String(result.headers["content-type"] ?? "application/x-amz-json-1.0"),
      "content-length": content.length,
      "x-amzn-requestid": result.headers["x-amzn-requestid"] ?? "",
    });
    response.end(content);
  };
