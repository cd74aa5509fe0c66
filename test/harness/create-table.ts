import { randomUUID } from "node:crypto";
import { CreateTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { tableAttributes as names } from "../../lib/platform/db/table.ts";

/** Creates an empty table with the keys and the indexes of the product, and returns its name. */
export const createTable = async (client: DynamoDBClient): Promise<string> => {
  const table = `test-${randomUUID()}`;
  const string = (AttributeName: string) => ({ AttributeName, AttributeType: "S" as const });
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        string(names.partitionKey),
        string(names.sortKey),
        string(names.indexPartitionKey),
        string(names.indexSortKey),
        string(names.recordsIndexPartitionKey),
      ],
      KeySchema: [
        { AttributeName: names.partitionKey, KeyType: "HASH" },
        { AttributeName: names.sortKey, KeyType: "RANGE" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: names.index,
          KeySchema: [
            { AttributeName: names.indexPartitionKey, KeyType: "HASH" },
            { AttributeName: names.indexSortKey, KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
        {
          IndexName: names.recordsIndex,
          KeySchema: [
            { AttributeName: names.recordsIndexPartitionKey, KeyType: "HASH" },
            { AttributeName: names.sortKey, KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
    }),
  );
  return table;
};
