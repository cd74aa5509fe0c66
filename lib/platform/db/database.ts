import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { trimClient } from "../runtime/aws-client.ts";
import { requestHandler } from "../runtime/aws-handler.ts";
import { awsRetries } from "../runtime/aws-retry.ts";
import { callTimeoutMs, tableName } from "../runtime/env.ts";
import { createDocumentClient } from "./document-client.ts";
import { recognizeOwnWrites } from "./own-writes.ts";
import type { Companions } from "./transaction-write.ts";

/** The table and its client. */
export type Database = {
  client: DynamoDBDocumentClient;
  table: string;
  /** Writes that join the first successful one; see `withCompanions`. */
  companions?: Companions;
};

let shared: Database | undefined;

/** Returns the function's connection to the table, created on first use. */
export const database = (): Database => {
  shared ??= connect(
    tableName(),
    new DynamoDBClient({
      retryStrategy: awsRetries(),
      requestHandler: requestHandler(callTimeoutMs()),
    }),
  );
  return shared;
};

/** Connects to a table through a client. */
export const connect = (table: string, client: DynamoDBClient): Database => {
  recognizeOwnWrites(trimClient(client));
  return { client: createDocumentClient(client), table };
};
