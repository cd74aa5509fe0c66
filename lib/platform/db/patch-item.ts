import type * as z from "zod";
import type { Database } from "./database.ts";
import type { Key } from "./keys.ts";
import { updateItem } from "./write-item.ts";

/**
 * Members to set, and members that must be equal for it. Undefined members of `set` are kept; an undefined
 * member of `expect` must be absent.
 */
export type Patch = { set: object; expect?: object };

/** Builds the update that patches an existing item, for `updateItem` or a transaction. */
export const patch = (key: Key, { set, expect = {} }: Patch) => {
  const members = Object.entries(set).filter(([, value]) => value !== undefined);
  const expected = expectMembers(key, expect);
  return {
    ...expected,
    UpdateExpression: `SET ${members.map(([name]) => `#${name} = :${name}`).join(", ")}`,
    ExpressionAttributeNames: {
      ...expected.ExpressionAttributeNames,
      ...Object.fromEntries(members.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ...expected.ExpressionAttributeValues,
      ...Object.fromEntries(members.map(([name, value]) => [`:${name}`, value])),
    },
  };
};

/** Builds the condition that an item exists with these members; an undefined one must be absent. */
export const expectMembers = (key: Key, expect: object) => {
  const expected = Object.entries(expect);
  const present = expected.filter(([, value]) => value !== undefined);
  return {
    Key: key,
    ConditionExpression: [
      "attribute_exists(pk)",
      ...expected.map(([name, value]) =>
        value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :before_${name}`,
      ),
    ].join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(expected.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      present.map(([name, value]) => [`:before_${name}`, value]),
    ),
  };
};

/**
 * Patches an item and returns it with the members that were set, and the others as they are now; undefined when it does not
 * exist, or a member differs from `expect`.
 */
export const patchItem = async <Schema extends z.ZodType>(
  db: Database,
  key: Key,
  schema: Schema,
  change: Patch,
): Promise<z.output<Schema> | undefined> => {
  const { written, item } = await updateItem(db, {
    ...patch(key, change),
    ReturnValues: "ALL_NEW",
  });
  if (!written || !item) return undefined;
  const set = Object.entries(change.set).filter(([, value]) => value !== undefined);
  return schema.parse({ ...item, ...Object.fromEntries(set) });
};
