import * as z from "zod";
import type { Database } from "../db/database.ts";
import { getItem } from "../db/get-item.ts";
import type { Key } from "../db/keys.ts";
import { updateItem, type WriteOutcome } from "../db/write-item.ts";
import { withinCallersTime } from "../runtime/aws-retry.ts";
import { addressRateKey, apiKeyKey, keyHashKey, userRateKey, webhookRateKey } from "./keys.ts";
import type { Counted, Window } from "./rate-limit.ts";

/** Item of a key's hash: the data for authentication, and the key's rate-limit windows. */
const KeyHashItem = z.object({
  keyId: z.string(),
  organizationId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expiresAt: z.number().nullable(),
  /** Expiry of a secret that was rotated, Unix milliseconds; null for the current one. */
  validUntil: z.number().nullable(),
  lastUsedAt: z.number(),
  mcpConfigId: z.string().optional(),
  userIds: z.array(z.string()).default([]),
});

type KeyHashItem = z.output<typeof KeyHashItem>;

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

const CurrentSecret = z.object({ sha256: z.string() });

/**
 * KEYHASH#sha256 / KEYHASH: reads a key, counts the request and records the use in one call; undefined when the key
 * does not exist. A rotated secret in its grace period counts in the window of the current one, with two more calls.
 */
export const useKey = async (
  db: Database,
  sha256: string,
  window: KeyWindow,
): Promise<{ key: KeyHashItem; count: Counted } | undefined> => {
  const outcome = await countAt(db, keyHashKey(sha256), { ...window, requests: 1 }, "must-exist");
  const used = outcome && { key: KeyHashItem.parse(outcome.item), count: outcome.counted };
  if (!used || used.key.validUntil === null || used.key.validUntil <= window.now) return used;
  const count = await countKeyRequests(db, used.key, window, 1);
  return count && { key: used.key, count };
};

/**
 * ORG#o / KEY#id, then KEYHASH#sha256 / KEYHASH: counts requests in the window of a key's current secret; undefined
 * when the key does not exist.
 */
export const countKeyRequests = async (
  db: Database,
  key: { organizationId: string; keyId: string },
  window: KeyWindow,
  requests: number,
): Promise<Counted | undefined> => {
  const current = await getCurrentSecret(db, key);
  const counting = { ...window, requests };
  return (
    current && (await countAt(db, keyHashKey(current.sha256), counting, "must-exist"))?.counted
  );
};

/** ORG#o / KEY#id: reads the hash of a key's current secret. */
const getCurrentSecret = (
  db: Database,
  { organizationId, keyId }: { organizationId: string; keyId: string },
): Promise<z.output<typeof CurrentSecret> | undefined> =>
  getItem(db, apiKeyKey(organizationId, keyId), CurrentSecret, ["sha256"]);

/** KEYHASH#sha256 / KEYHASH: reads a key's data without counting a request, for when writes fail. */
export const readKeyByHash = (db: Database, sha256: string): Promise<KeyHashItem | undefined> =>
  getItem(db, keyHashKey(sha256), KeyHashItem);

/** A user, and the verified address of a call; undefined for none, or when it is the user's id. */
export type CountedUser = {
  organizationId: string;
  userId: string;
  address?: string | undefined;
};

const Linked = z.object({ linkedTo: z.string().optional() });

/**
 * RATE#USER#org#user / RATE: counts requests of a user, records the call, with its verified address, and returns the
 * window's total and the address by which the user is found.
 */
export const countUserRequests = async (
  db: Database,
  { organizationId, userId, address }: CountedUser,
  window: Window,
  requests: number,
): Promise<Counted & z.output<typeof Linked>> => {
  const key = userRateKey(organizationId, userId);
  const { counted, item } = await countFrom(db, key, { ...window, requests, address }, "user");
  return { ...counted, ...Linked.parse(item) };
};

/** RATE#ADDRESS#ip / RATE: counts a failed call of an IP address and returns the window's total. */
export const countAddressRequest = async (db: Database, address: string, window: Window) =>
  (await countFrom(db, addressRateKey(address), { ...window, requests: 1 })).counted;

/** RATE#WEBHOOK#id / RATE: counts a signed delivery to a webhook. */
export const countWebhookRequest = async (db: Database, webhookId: string, window: Window) =>
  (await countFrom(db, webhookRateKey(webhookId), { ...window, requests: 1 })).counted;

/** A moment, and which of a key's windows counts; `api` by default. */
type KeyWindow = Window & { counter?: CounterName };

/** A window, the number of requests to count in it, and the verified address of their user. */
type Counting = KeyWindow & { requests: number; address?: string | undefined };

const countFrom = async (
  db: Database,
  key: Key,
  counting: Counting,
  existence: Existence = "may-be-new",
): Promise<{ item: Record<string, unknown>; counted: Counted }> => {
  const counted = { count: counting.requests, windowStart: counting.now };
  return (await countAt(db, key, counting, existence)) ?? { item: {}, counted };
};

/** What is counted at: a key, which must exist, a user, whose last call is kept, or something else for a while. */
type Existence = "must-exist" | "user" | "may-be-new";

const attempts = 5;
/** Milliseconds after the start of a request in which its counter is retried; then the request is let through. */
const counterMs = 2_000;

/** Runs the writes of counters for a request that started `now`. */
export const withinCounterTime = <Result>(now: number, work: () => Result): Result =>
  withinCallersTime(now + counterMs, work);

/**
 * Counts in the current window with one conditional update, or two at the start of a window. An instance whose clock
 * is behind counts in the window that another instance has started.
 */
const countAt = async (
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
