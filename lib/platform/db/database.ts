import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { awsRetries } from "../runtime/aws-retry.ts";
import { callTimeoutMs, tableName } from "../runtime/env.ts";
import { recognizeOwnWrites } from "./own-writes.ts";

/** The table, and the client that speaks to it. */
export type Database = { client: DynamoDBDocumentClient; table: string };

let shared: Database | undefined;

/** The function's connection to the table; made on first use and kept. */
export const database = (): Database => {
  shared ??= connect(
    tableName(),
    new DynamoDBClient({
      retryStrategy: awsRetries(),
      requestHandler: { requestTimeout: callTimeoutMs(), throwOnRequestTimeout: true },
    }),
  );
  return shared;
};

/**
 * A connection to a table through a client. The SDK's logger copies every input and output, also for
 * nobody to read, so it is left out.
 */
export const connect = (table: string, client: DynamoDBClient): Database => {
  client.middlewareStack.remove("loggerMiddleware");
  recognizeOwnWrites(client);
  const options = { marshallOptions: { removeUndefinedValues: true } };
  return { client: DynamoDBDocumentClient.from(client, options), table };
};
