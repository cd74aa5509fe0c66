import * as z from "zod";
import type { Access } from "../template/authorizer.ts";
import { localAccount, localRegion } from "../template/physical.ts";

/** Partition key attributes of tables and indexes, by ARN. */
export type PartitionKeys = ReadonlyMap<string, string>;

const Value = z.record(z.string(), z.unknown());
const Item = z.record(z.string(), Value);

const Head = z.object({ TableName: z.string(), IndexName: z.string().optional() });

const Single = z.object({
  Key: Item.optional(),
  Item: Item.optional(),
  KeyConditionExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
  ExpressionAttributeValues: Item.optional(),
});

const BatchGet = z.object({
  RequestItems: z.record(z.string(), z.object({ Keys: z.array(Item) })),
});

const BatchWrite = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.object({
        PutRequest: z.object({ Item }).optional(),
        DeleteRequest: z.object({ Key: Item }).optional(),
      }),
    ),
  ),
});

const element = z.object({ TableName: z.string(), Key: Item.optional(), Item: Item.optional() });

const TransactWrite = z.object({
  TransactItems: z.array(
    z.object({
      ConditionCheck: element.optional(),
      Put: element.optional(),
      Delete: element.optional(),
      Update: element.optional(),
    }),
  ),
});

const TransactGet = z.object({ TransactItems: z.array(z.object({ Get: element })) });

const Statements = z.object({
  Statements: z.array(z.object({ Statement: z.string(), Parameters: z.array(Value) })),
});

const singleOperations = new Set([
  "GetItem",
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "Query",
  "Scan",
  "DescribeTable",
  "DescribeTimeToLive",
]);

const elementActions = {
  ConditionCheck: "ConditionCheckItem",
  Put: "PutItem",
  Delete: "DeleteItem",
  Update: "UpdateItem",
} as const;

/** Returns the accesses of a DynamoDB request, or undefined for an unsupported operation. */
export const dynamodbAccess = (
  operation: string,
  body: unknown,
  partitionKeys: PartitionKeys,
): Access[] | undefined => {
  if (singleOperations.has(operation)) return [singleAccess(operation, body, partitionKeys)];
  switch (operation) {
    case "BatchGetItem":
      return Object.entries(BatchGet.parse(body).RequestItems).map(([table, { Keys }]) =>
        itemsAccess(operation, table, Keys, partitionKeys),
      );
    case "BatchWriteItem":
      return Object.entries(BatchWrite.parse(body).RequestItems).map(([table, requests]) => {
        const items = requests.map(
          ({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {},
        );
        return itemsAccess(operation, table, items, partitionKeys);
      });
    case "TransactGetItems":
      return TransactGet.parse(body).TransactItems.map(({ Get }) =>
        itemsAccess("GetItem", Get.TableName, [Get.Key ?? {}], partitionKeys),
      );
    case "TransactWriteItems":
      return TransactWrite.parse(body).TransactItems.flatMap((item) =>
        transactKinds.flatMap((kind) => {
          const one = item[kind];
          if (!one) return [];
          return [
            itemsAccess(
              elementActions[kind],
              one.TableName,
              [one.Key ?? one.Item ?? {}],
              partitionKeys,
            ),
          ];
        }),
      );
    case "BatchExecuteStatement":
      return insertAccesses(body, partitionKeys);
    default:
      return undefined;
  }
};

const insertion = /^INSERT INTO "([\w.-]+)" VALUE \{('\w+': \?(?:, '\w+': \?)*)\}$/;

/** Returns the accesses of statements that insert items; undefined if one does anything else. */
const insertAccesses = (body: unknown, partitionKeys: PartitionKeys): Access[] | undefined => {
  const accesses = Statements.parse(body).Statements.flatMap(({ Statement, Parameters }) => {
    const [, table, members = ""] = insertion.exec(Statement) ?? [];
    if (table === undefined) return [];
    const names = [...members.matchAll(/'(\w+)'/g)].map(([, name = ""]) => name);
    const item = Object.fromEntries(names.map((name, at) => [name, Parameters[at] ?? {}]));
    return [itemsAccess("PartiQLInsert", table, [item], partitionKeys)];
  });
  return accesses.length === Statements.parse(body).Statements.length ? accesses : undefined;
};

const transactKinds = ["ConditionCheck", "Put", "Delete", "Update"] as const;

const tableArn = (nameOrArn: string): string =>
  nameOrArn.startsWith("arn:")
    ? nameOrArn
    : `arn:aws:dynamodb:${localRegion}:${localAccount}:table/${nameOrArn}`;

const itemsAccess = (
  operation: string,
  table: string,
  items: readonly z.output<typeof Item>[],
  partitionKeys: PartitionKeys,
): Access => {
  const resource = tableArn(table);
  const attribute = partitionKeys.get(resource) ?? "";
  return {
    action: `dynamodb:${operation}`,
    resource,
    context: () => leadingKeys(items.flatMap((item) => keyValue(item[attribute]))),
  };
};

const singleAccess = (operation: string, body: unknown, partitionKeys: PartitionKeys): Access => {
  const { TableName, IndexName } = Head.parse(body);
  const table = tableArn(TableName);
  const resource = IndexName === undefined ? table : `${table}/index/${IndexName}`;
  const attribute = partitionKeys.get(resource) ?? "";
  return {
    action: `dynamodb:${operation}`,
    resource,
    context: () => {
      const request = Single.parse(body);
      const item = request.Key ?? request.Item;
      return leadingKeys(item ? keyValue(item[attribute]) : queriedKeys(request, attribute));
    },
  };
};

const leadingKeys = (values: string[]): ReadonlyMap<string, readonly string[]> =>
  new Map([["dynamodb:LeadingKeys", values]]);

const keyValue = (value: z.output<typeof Value> | undefined): string[] => {
  const [first] = Object.values(value ?? {});
  return typeof first === "string" ? [first] : [];
};

const queriedKeys = (request: z.output<typeof Single>, attribute: string): string[] => {
  const values: string[] = [];
  const expression = (request.KeyConditionExpression ?? "").replaceAll(/[()]/g, " ");
  for (const condition of expression.split(/\bAND\b/i)) {
    const [name = "", placeholder = ""] = condition.split("=").map((side) => side.trim());
    if ((request.ExpressionAttributeNames?.[name] ?? name) === attribute) {
      values.push(...keyValue(request.ExpressionAttributeValues?.[placeholder]));
    }
  }
  return values;
};
