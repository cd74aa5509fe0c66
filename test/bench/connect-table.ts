import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { localRegion } from "../../infra/local/template/physical.ts";
import { connect, type Database } from "../../lib/platform/db/database.ts";

/** Connects to a table of an engine. */
export const connectTable = (table: string, endpoint: string): Database =>
  connect(
    table,
    new DynamoDBClient({
      endpoint,
      region: localRegion,
      credentials: { accessKeyId: "bench", secretAccessKey: "bench" },
    }),
  );
