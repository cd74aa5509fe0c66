import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { readModel } from "../../infra/local/template/model.ts";
import { connect, type Database } from "../../lib/platform/db/database.ts";
import type { LocalStackAddress } from "./local-stack.ts";

/** Connects to the table of a running stack. */
export const connectToTable = ({
  assembly,
  services,
  dynamodbEndpoint,
}: Pick<LocalStackAddress, "assembly" | "services" | "dynamodbEndpoint">): Database => {
  const fn = readModel(readAssembly(assembly), services).functions.find(
    ({ environment }) => environment.TABLE_NAME !== undefined,
  );
  const table = z.string().parse(fn?.environment.TABLE_NAME);
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  return connect(
    table,
    new DynamoDBClient({ endpoint: dynamodbEndpoint, region: "us-east-1", credentials }),
  );
};
