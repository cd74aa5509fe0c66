import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import type { Database } from "./database.ts";
import type { Key } from "./keys.ts";

/**
 * Reads one item, strongly consistent, and parses it; undefined when it does not exist.
 * @param members reads these members alone
 */
export const getItem = async <Schema extends z.ZodType>(
  db: Database,
  key: Key,
  schema: Schema,
  members?: readonly (keyof z.output<Schema> & string)[],
): Promise<z.output<Schema> | undefined> => {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.table,
      Key: key,
      ConsistentRead: true,
      ...(members && {
        ProjectionExpression: members.map((name) => `#${name}`).join(", "),
        ExpressionAttributeNames: Object.fromEntries(members.map((name) => [`#${name}`, name])),
      }),
    }),
  );
  return Item && schema.parse(Item);
};
