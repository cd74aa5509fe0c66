import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { tableName } from "../runtime/env.ts";

/** The table, and the client that speaks to it. */
export type Database = { client: DynamoDBDocumentClient; table: string };

let shared: Database | undefined;

/** The function's connection to the table; made on first use and kept. */
export const database = (): Database => {
  shared ??= connect(tableName(), new DynamoDBClient({ maxAttempts: 4 }));
  return shared;
};

/** A connection to a table through a client. */
export const connect = (table: string, client: DynamoDBClient): Database => ({
  client: DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  }),
  table,
});
