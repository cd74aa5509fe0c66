import * as z from "zod";
import type { Database } from "../db/database.ts";
import { getItem } from "../db/get-item.ts";
import { tableAttributes } from "../db/table.ts";
import { updateItem } from "../db/write-item.ts";
import { deferralsKey } from "./keys.ts";

const Deferrals = z.object({ times: z.int() });

/** As long as an ordered queue keeps a message. */
const keptSeconds = 14 * 24 * 60 * 60;

/** DEFERRALS#messageId: counts a deferral of a message, which does not count as an attempt. */
export const countDeferral = async (
  db: Database,
  messageId: string,
  now: number,
): Promise<number> => {
  const { item } = await updateItem(db, {
    Key: deferralsKey(messageId),
    UpdateExpression: "ADD times :one SET #ttl = :ttl",
    ExpressionAttributeNames: { "#ttl": tableAttributes.timeToLive },
    ExpressionAttributeValues: { ":one": 1, ":ttl": Math.ceil(now / 1_000) + keptSeconds },
    ReturnValues: "ALL_NEW",
  });
  return Deferrals.parse(item).times;
};

/** DEFERRALS#messageId: returns the number of deferrals of a message. */
export const readDeferrals = async (db: Database, messageId: string): Promise<number> =>
  (await getItem(db, deferralsKey(messageId), Deferrals))?.times ?? 0;
