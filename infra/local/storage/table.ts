import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type AwsCall, AwsCallError } from "../access/aws-call.ts";
import { StopError } from "../stop-error.ts";
import type { LocalTable } from "../template/storage.ts";

const Keys = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));

const Description = z.object({
  Table: z.object({
    TableStatus: z.string(),
    KeySchema: Keys,
    AttributeDefinitions: z.array(
      z.object({ AttributeName: z.string(), AttributeType: z.string() }),
    ),
    GlobalSecondaryIndexes: z
      .array(
        z.object({
          IndexName: z.string(),
          KeySchema: Keys,
          Projection: z.object({
            ProjectionType: z.string(),
            NonKeyAttributes: z.array(z.string()).optional(),
          }),
        }),
      )
      .default([]),
  }),
});

/**
 * Creates a table with its indexes and time to live unless it exists. Throws a StopError when it exists with
 * other keys or indexes.
 */
export const ensureTable = async (call: AwsCall, table: LocalTable): Promise<void> => {
  const existing = await call("DescribeTable", { TableName: table.name }).catch(
    (error: unknown) => {
      if (error instanceof AwsCallError && error.type === "ResourceNotFoundException")
        return undefined;
      throw error;
    },
  );
  if (existing !== undefined) {
    const { Table } = Description.parse(existing);
    if (isDeepStrictEqual(normalizeShape(Table), normalizeShape(table)))
      return ensureTimeToLive(call, table);
    throw new StopError(
      `The keys or indexes of the table ${table.name} in the data folder differ from the template. Move the data folder away (or set WHARF_DATA_DIR to a new one) and start again.`,
    );
  }
  await call("CreateTable", {
    TableName: table.name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: table.AttributeDefinitions,
    KeySchema: table.KeySchema,
    ...(table.GlobalSecondaryIndexes.length > 0 && {
      GlobalSecondaryIndexes: table.GlobalSecondaryIndexes,
    }),
  });
  await ensureTimeToLive(call, table);
};

const TimeToLive = z.object({ TimeToLiveDescription: z.object({ TimeToLiveStatus: z.string() }) });

const ensureTimeToLive = async (call: AwsCall, table: LocalTable): Promise<void> => {
  if (!table.TimeToLiveSpecification?.Enabled) return;
  const now = TimeToLive.parse(await call("DescribeTimeToLive", { TableName: table.name }));
  if (now.TimeToLiveDescription.TimeToLiveStatus !== "DISABLED") return;
  await call("UpdateTimeToLive", {
    TableName: table.name,
    TimeToLiveSpecification: table.TimeToLiveSpecification,
  });
};

type Shape = Pick<LocalTable, "AttributeDefinitions" | "KeySchema" | "GlobalSecondaryIndexes">;

const normalizeShape = (table: Shape | z.output<typeof Description>["Table"]) => ({
  keys: table.KeySchema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`),
  attributes: table.AttributeDefinitions.map(
    (definition) => `${definition.AttributeName} ${definition.AttributeType}`,
  ).sort(),
  indexes: table.GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) =>
    [
      IndexName,
      ...KeySchema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`),
      Projection.ProjectionType,
      ...(Projection.NonKeyAttributes ?? []).toSorted(),
    ].join(" "),
  ).sort(),
});

/** Returns the partition key attributes of tables and indexes, by ARN. */
export const mapPartitionKeys = (tables: readonly LocalTable[]): Map<string, string> => {
  const keys = new Map<string, string>();
  for (const table of tables) {
    keys.set(table.arn, findHashKey(table.KeySchema));
    for (const index of table.GlobalSecondaryIndexes) {
      keys.set(`${table.arn}/index/${index.IndexName}`, findHashKey(index.KeySchema));
    }
  }
  return keys;
};

const findHashKey = (keys: LocalTable["KeySchema"]): string =>
  keys.find(({ KeyType }) => KeyType === "HASH")?.AttributeName ?? "";
