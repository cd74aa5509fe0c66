import { isRecord } from "../../../lib/values/json/json.ts";
import type { Access } from "../template/authorizer.ts";
import { localAccount, localRegion } from "../template/physical.ts";

/** Partition key attributes of tables and indexes, by ARN. */
export type PartitionKeys = ReadonlyMap<string, string>;

type Fields = { readonly [name: string]: unknown };

/** No schemas: this file is also part of the thread of every function, which would have to load their library. */
const fields = (value: unknown): Fields => {
  if (isRecord(value)) return value;
  throw new TypeError("not an object");
};

const list = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  throw new TypeError("not a list");
};

const text = (value: unknown): string => {
  if (typeof value === "string") return value;
  throw new TypeError("not a text");
};

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

/** The IAM actions of all supported requests. */
export const dynamodbActions: readonly string[] = [
  ...singleOperations,
  "BatchGetItem",
  "BatchWriteItem",
  "ConditionCheckItem",
  "PartiQLInsert",
].map((operation) => `dynamodb:${operation}`);

/** Returns the accesses of a DynamoDB request, or undefined for an unsupported operation. */
export const dynamodbAccess = (
  operation: string,
  body: unknown,
  partitionKeys: PartitionKeys,
): Access[] | undefined => {
  const request = fields(body);
  if (singleOperations.has(operation)) return [singleAccess(operation, request, partitionKeys)];
  switch (operation) {
    case "BatchGetItem":
      return Object.entries(fields(request.RequestItems)).map(([table, wanted]) =>
        itemsAccess(operation, table, list(fields(wanted).Keys), partitionKeys),
      );
    case "BatchWriteItem":
      return Object.entries(fields(request.RequestItems)).map(([table, writes]) => {
        const items = list(writes).map((write) => {
          const { PutRequest, DeleteRequest } = fields(write);
          return PutRequest ? fields(PutRequest).Item : fields(DeleteRequest).Key;
        });
        return itemsAccess(operation, table, items, partitionKeys);
      });
    case "TransactGetItems":
      return list(request.TransactItems).map((item) => {
        const { TableName, Key } = fields(fields(item).Get);
        return itemsAccess("GetItem", text(TableName), [Key], partitionKeys);
      });
    case "TransactWriteItems":
      return list(request.TransactItems).flatMap((item) =>
        transactKinds.flatMap((kind) => {
          const element = fields(item)[kind];
          if (element === undefined) return [];
          const { TableName, Key, Item } = fields(element);
          return [itemsAccess(elementActions[kind], text(TableName), [Key ?? Item], partitionKeys)];
        }),
      );
    case "BatchExecuteStatement":
      return insertAccesses(request, partitionKeys);
    default:
      return undefined;
  }
};

/** Returns the accesses of a request with a JSON body; undefined if it is malformed or its operation is not supported. */
export const parseDynamodbAccess = (
  operation: string,
  body: string | Uint8Array,
  partitionKeys: PartitionKeys,
): Access[] | undefined => {
  const json = typeof body === "string" ? body : utf8.decode(body);
  try {
    return dynamodbAccess(operation, JSON.parse(json), partitionKeys);
  } catch {
    return undefined;
  }
};

const utf8 = new TextDecoder();

const insertion = /^INSERT INTO "([\w.-]+)" VALUE \{('\w+': \?(?:, '\w+': \?)*)\}$/;

/** Returns the accesses of statements that insert items; undefined if one does anything else. */
const insertAccesses = (request: Fields, partitionKeys: PartitionKeys): Access[] | undefined => {
  const accesses: Access[] = [];
  for (const one of list(request.Statements)) {
    const { Statement, Parameters } = fields(one);
    const [, table, members = ""] = insertion.exec(text(Statement)) ?? [];
    if (table === undefined) return undefined;
    const values = list(Parameters);
    const names = [...members.matchAll(/'(\w+)'/g)].map(([, name = ""]) => name);
    const item = Object.fromEntries(names.map((name, at) => [name, values[at] ?? {}]));
    accesses.push(itemsAccess("PartiQLInsert", table, [item], partitionKeys));
  }
  return accesses;
};

const transactKinds = ["ConditionCheck", "Put", "Delete", "Update"] as const;

const tableArn = (nameOrArn: string): string =>
  nameOrArn.startsWith("arn:")
    ? nameOrArn
    : `arn:aws:dynamodb:${localRegion}:${localAccount}:table/${nameOrArn}`;

const itemsAccess = (
  operation: string,
  table: string,
  items: readonly unknown[],
  partitionKeys: PartitionKeys,
): Access => {
  const resource = tableArn(table);
  const attribute = partitionKeys.get(resource) ?? "";
  return {
    action: `dynamodb:${operation}`,
    resource,
    context: () => leadingKeys(items.flatMap((item) => keyValue(fields(item)[attribute]))),
  };
};

const singleAccess = (operation: string, request: Fields, partitionKeys: PartitionKeys): Access => {
  const table = tableArn(text(request.TableName));
  const { IndexName } = request;
  const resource = IndexName === undefined ? table : `${table}/index/${text(IndexName)}`;
  const attribute = partitionKeys.get(resource) ?? "";
  return {
    action: `dynamodb:${operation}`,
    resource,
    context: () => {
      const item = request.Key ?? request.Item;
      return leadingKeys(
        item ? keyValue(fields(item)[attribute]) : queriedKeys(request, attribute),
      );
    },
  };
};

const leadingKeys = (values: string[]): ReadonlyMap<string, readonly string[]> =>
  new Map([["dynamodb:LeadingKeys", values]]);

const keyValue = (value: unknown): string[] => {
  const [first] = value === undefined ? [] : Object.values(fields(value));
  return typeof first === "string" ? [first] : [];
};

const queriedKeys = (request: Fields, attribute: string): string[] => {
  const names = fields(request.ExpressionAttributeNames ?? {});
  const placeholders = fields(request.ExpressionAttributeValues ?? {});
  const expression = text(request.KeyConditionExpression ?? "").replaceAll(/[()]/g, " ");
  return expression.split(/\bAND\b/i).flatMap((condition) => {
    const [name = "", placeholder = ""] = condition.split("=").map((side) => side.trim());
    return (names[name] ?? name) === attribute ? keyValue(placeholders[placeholder]) : [];
  });
};
