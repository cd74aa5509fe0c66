import { isDeepStrictEqual } from "node:util";
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import * as z from "zod";
import { isAmbiguous } from "../runtime/aws-retry.ts";

const Attributes = z.record(z.string(), z.unknown());
const Write = z.looseObject({
  ConditionExpression: z.string(),
  Item: Attributes.optional(),
  UpdateExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExpressionAttributeValues: Attributes.default({}),
});
type Write = z.output<typeof Write>;

const conditional: ReadonlySet<string> = new Set([
  "PutItemCommand",
  "UpdateItemCommand",
  "DeleteItemCommand",
]);

/**
 * Makes a client recognize its own conditional writes: when the response of a successful write is lost, the condition
 * of the retry fails. Such a failure counts as success if the item is as the write would leave it. Transactions have
 * their request token for this.
 */
export const recognizeOwnWrites = (client: DynamoDBClient): void => {
  /** Inputs of calls of which an earlier attempt may have been successful; all attempts of a call have the same one. */
  const uncertain = new WeakSet<object>();
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      (args) =>
        next(conditional.has(commandName) ? { ...args, input: askForItem(args.input) } : args),
    { step: "initialize", priority: "low", name: "askForItem", override: true },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (isAmbiguous(error)) uncertain.add(args.input);
        const item =
          uncertain.has(args.input) && error instanceof ConditionalCheckFailedException
            ? ownWrite(args.input, error.Item)
            : undefined;
        if (!item) throw error;
        // The document client unmarshals further inside.
        const Attributes = Object.keys(item).length > 0 ? unmarshall(item) : undefined;
        return { response: {}, output: { $metadata: {}, Attributes } };
      }
    },
    // Inside of the SDK's retries, which have a high priority.
    { step: "finalizeRequest", priority: "low", name: "ownWrites", override: true },
  );
};

const askForItem = <Input extends object>(input: Input): Input =>
  "ConditionExpression" in input && input.ConditionExpression !== undefined
    ? { ...input, ReturnValuesOnConditionCheckFailure: "ALL_OLD" }
    : input;

/** Returns the item if this write created it; undefined when another write made the condition fail. */
const ownWrite = (
  input: object,
  item: Record<string, AttributeValue> = {},
): Record<string, AttributeValue> | undefined => {
  const write = Write.safeParse(input).data;
  if (!write) return undefined;
  const expected = write.Item ?? (write.UpdateExpression ? assignedBy(write) : undefined);
  if (!expected) return Object.keys(item).length === 0 ? item : undefined;
  const isOwn =
    Object.keys(expected).length > 0 &&
    Object.entries(expected).every(([name, value]) =>
      isDeepStrictEqual(comparable(item[name]), comparable(value)),
    );
  return isOwn ? item : undefined;
};

/** Returns whether a stored item, as the document client reads it, has all that was written. */
export const isSameItem = (
  written: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>> | undefined,
): boolean =>
  stored !== undefined &&
  Object.entries(written).every(
    ([name, value]) =>
      value === undefined || isDeepStrictEqual(comparable(stored[name]), comparable(value)),
  );

/** Normalizes a value for comparison: DynamoDB may return other byte classes, number formats and set orders. */
const comparable = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const [[type, inner] = [], ...others] = Object.entries(value);
  if (others.length === 0 && type === "N" && typeof inner === "string") return Number(inner);
  if (others.length === 0 && type === "NS" && Array.isArray(inner))
    return sorted(inner.map(Number));
  if (others.length === 0 && type === "SS" && Array.isArray(inner)) return sorted(inner);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]));
};

const sorted = (values: readonly unknown[]): string[] => values.map(String).toSorted();

/** Returns the attributes that an update sets to its expression values. */
const assignedBy = ({
  UpdateExpression = "",
  ExpressionAttributeNames,
  ExpressionAttributeValues,
}: Write): Record<string, unknown> =>
  Object.fromEntries(
    UpdateExpression.split(/,|\bADD\b|\bREMOVE\b|\bDELETE\b/).flatMap((part) => {
      const [name = "", value = ""] = part.replace("SET ", "").trim().split(" = ");
      if (!Object.hasOwn(ExpressionAttributeValues, value)) return [];
      return [[ExpressionAttributeNames[name] ?? name, ExpressionAttributeValues[value]]];
    }),
  );
