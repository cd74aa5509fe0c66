import type { Key } from "./keys.ts";

/** Condition of a write: the item does not exist. */
export const ifNew = { ConditionExpression: "attribute_not_exists(pk)" };

/** Condition of a write: the item exists. */
export const ifExists = { ConditionExpression: "attribute_exists(pk)" };

/** Builds the condition of a transaction that an item exists. */
export const checkExists = (key: Key) => ({ ConditionCheck: { Key: key, ...ifExists } });
