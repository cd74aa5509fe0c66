import type { IncomingMessage, ServerResponse } from "node:http";
import { callerOf } from "../access/caller.ts";
import { dynamodbAccess, type PartitionKeys } from "../access/dynamodb.ts";
import type { Guard } from "./guard.ts";
import { answerError } from "./service-answer.ts";
import type { Upstream } from "./upstream.ts";

/** Header of every call to the engine; its value names the operation. */
const target = "x-amz-target";

/** Handles one DynamoDB request whose body has been read. */
export type DynamodbEndpoint = (
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
) => Promise<void>;

/** Passes DynamoDB calls that the caller's policies allow to the engine, and refuses the others. */
export const createDynamodbEndpoint =
  (upstream: Upstream, guard: Guard, partitionKeys: PartitionKeys): DynamodbEndpoint =>
  async (request, body, response) => {
    const operation = String(request.headers[target]).split(".")[1] ?? "";
    const accesses = read(operation, body, partitionKeys);
    if (accesses === undefined) {
      answerError(
        response,
        "com.amazon.coral.service#UnknownOperationException",
        `${operation} is not known here`,
      );
      return;
    }
    const refusal = guard(callerOf(request.headers.authorization), accesses);
    if (refusal !== undefined) {
      answerError(response, "com.amazon.coral.service#AccessDeniedException", refusal);
      return;
    }
    const answer = await upstream.post(
      {
        "content-type": "application/x-amz-json-1.0",
        [target]: String(request.headers[target]),
        authorization: request.headers.authorization ?? "",
        "x-amz-date": String(request.headers["x-amz-date"] ?? ""),
      },
      body,
    );
    response.writeHead(answer.status, {
      "content-type": answer.headers["content-type"] ?? "application/x-amz-json-1.0",
      "content-length": answer.body.length,
      "x-amzn-requestid": answer.headers["x-amzn-requestid"] ?? "",
    });
    response.end(answer.body);
  };

const read = (operation: string, body: Buffer, partitionKeys: PartitionKeys) => {
  try {
    return dynamodbAccess(operation, JSON.parse(body.toString("utf8")), partitionKeys);
  } catch {
    return undefined;
  }
};
