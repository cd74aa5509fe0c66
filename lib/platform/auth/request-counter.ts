import * as z from "zod";
import type { Database } from "../db/database.ts";
import type { Key } from "../db/keys.ts";
import { updateItem, type WriteOutcome } from "../db/write-item.ts";
import { withinCallersTime } from "../runtime/aws-retry.ts";
import type { Counted, Window } from "./rate-limit.ts";

/** Members of an item that count requests, by what they count: calls of the API, or deliveries to inbound addresses. */
const counters = {
  api: { window: "rateWindow", count: "rateCount" },
  inbound: { window: "inboundWindow", count: "inboundCount" },
} as const;

/** One of a key's rate-limit windows. */
export type CounterName = keyof typeof counters;

const countedAt = z.number().default(0);
const Counter = z.object({
  rateWindow: countedAt,
  rateCount: countedAt,
  inboundWindow: countedAt,
  inboundCount: countedAt,
});

/** A moment, and which of a key's windows counts; `api` by default. */
export type CounterWindow = Window & { counter?: CounterName };

/** A window, the number of requests to count in it, and the verified address of their user. */
export type Counting = CounterWindow & { requests: number; address?: string | undefined };

/** Item of a counter: a key, which must exist, a user with the last call, or another item that expires. */
export type Existence = "must-exist" | "user" | "may-be-new";

const attempts = 5;
/** Milliseconds after the start of a request in which its counter is retried; then the request is let through. */
const counterMs = 2_000;

/** Runs the writes of counters for a request that started `now`. */
export const withinCounterTime = <Result>(now: number, work: () => Result): Result =>
  withinCallersTime(now + counterMs, work);

/**
 * Counts in the current window with one conditional update, or two at the start of a window. An
 * instance with a late clock counts in the window that another instance has started.
 */
export const countAt = async (
  db: Database,
  key: Key,
  { counter = "api", ...given }: Counting,
  existence: Existence,
): Promise<{ item: Record<string, unknown>; counted: Counted } | undefined> => {
  const names = counters[counter];
  const { now, windowMs } = given;
  let windowStart = Math.floor(now / windowMs) * windowMs;
  let turn = false;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const counting: Update = { ...given, counter, windowStart, turn, existence };
    const result = await withinCounterTime(now, () => update(db, key, counting));
    if (result.written && result.item) {
      const { [names.count]: count, [names.window]: counted } = Counter.parse(result.item);
      return { item: result.item, counted: { count, windowStart: counted } };
    }
    if (!result.item) {
      if (existence === "must-exist") return undefined;
      turn = false;
      continue;
    }
    const standing = Counter.parse(result.item)[names.window];
    turn = standing < windowStart;
    if (!turn) windowStart = standing;
  }
  throw new Error("the request counter changed too often to be written");
};

type Update = Counting & {
  counter: CounterName;
  windowStart: number;
  turn: boolean;
  existence: Existence;
};

const update = (
  db: Database,
  key: Key,
  { now, windowMs, requests, address, counter, windowStart, turn, existence }: Update,
): Promise<WriteOutcome> => {
  const { window, count } = counters[counter];
  const mayBeNew = existence !== "must-exist";
  const expires = existence === "may-be-new";
  const set = [
    turn ? `${count} = :requests` : "",
    turn || mayBeNew ? `${window} = :window` : "",
    expires ? "#ttl = :ttl" : "lastUsedAt = :now",
    address === undefined ? "" : "address = :address, addressUsedAt = :now",
  ].filter((part) => part !== "");
  const standing = turn ? `${window} < :window` : `${window} = :window`;
  return updateItem(db, {
    Key: key,
    UpdateExpression: `SET ${set.join(", ")}${turn ? "" : ` ADD ${count} :requests`}`,
    ConditionExpression: mayBeNew && !turn ? `attribute_not_exists(pk) OR ${standing}` : standing,
    ...(expires && { ExpressionAttributeNames: { "#ttl": "ttl" } }),
    ExpressionAttributeValues: {
      ":requests": requests,
      ":window": windowStart,
      ...(expires ? { ":ttl": Math.ceil((windowStart + 2 * windowMs) / 1_000) } : { ":now": now }),
      ...(address !== undefined && { ":address": address }),
    },
    ReturnValues: "ALL_NEW",
  });
};
