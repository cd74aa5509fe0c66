import * as z from "zod";
import type { Database } from "../db/database.ts";
import { getItem } from "../db/get-item.ts";
import type { Key } from "../db/keys.ts";
import { updateItem, type WriteOutcome } from "../db/write-item.ts";
import { withinCallersTime } from "../runtime/aws-retry.ts";
import {
  addressRateKey,
  apiKeyKey,
  keyHashKey,
  senderRateKey,
  userRateKey,
  webhookRateKey,
} from "./keys.ts";
import type { Counted, Window } from "./rate-limit.ts";

/** Item of a key's hash: the data for authentication, and the key's rate-limit window. */
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

const Counter = z.object({ rateWindow: z.number().default(0), rateCount: z.number().default(0) });

const CurrentSecret = z.object({ sha256: z.string() });

/**
 * KEYHASH#sha256 / KEYHASH: reads a key, counts the request and records the use in one call; undefined when the key
 * does not exist. A rotated secret in its grace period counts in the window of the current one, with two more calls.
 */
export const useKey = async (
  db: Database,
  sha256: string,
  window: Window,
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
  window: Window,
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

/** RATE#USER#org#user / RATE: counts requests of a user and returns the window's total. */
export const countUserRequests = (
  db: Database,
  { organizationId, userId }: { organizationId: string; userId: string },
  window: Window,
  requests: number,
) => countFrom(db, userRateKey(organizationId, userId), { ...window, requests });

/** RATE#ADDRESS#ip / RATE: counts a failed call of an IP address and returns the window's total. */
export const countAddressRequest = (db: Database, address: string, window: Window) =>
  countFrom(db, addressRateKey(address), { ...window, requests: 1 });

/** RATE#ADDRESS#ip#WEBHOOK#id / RATE: counts a failed call of an IP address to a webhook. */
export const countSenderRequest = (
  db: Database,
  sender: { address: string; webhookId: string },
  window: Window,
) => countFrom(db, senderRateKey(sender), { ...window, requests: 1 });

/** Reads the counter of a window without counting a request. */
export const readCounter = (item: unknown, { now, windowMs }: Window): Counted => {
  const windowStart = Math.floor(now / windowMs) * windowMs;
  const standing = Counter.safeParse(item).data;
  return standing && standing.rateWindow >= windowStart
    ? { count: standing.rateCount, windowStart: standing.rateWindow }
    : { count: 0, windowStart };
};

/** RATE#WEBHOOK#id / RATE: counts a signed delivery to a webhook. */
export const countWebhookRequest = (db: Database, webhookId: string, window: Window) =>
  countFrom(db, webhookRateKey(webhookId), { ...window, requests: 1 });

/** A window, and the number of requests to count in it. */
type Counting = Window & { requests: number };

const countFrom = async (db: Database, key: Key, counting: Counting): Promise<Counted> => {
  const outcome = await countAt(db, key, counting, "may-be-new");
  return outcome?.counted ?? { count: counting.requests, windowStart: counting.now };
};

type Existence = "must-exist" | "may-be-new";

const attempts = 5;
/** Milliseconds after the start of a request in which its counter is retried; then the request is let through. */
const counterMs = 2_000;

/**
 * Counts in the current window with one conditional update, or two at the start of a window. An instance whose clock
 * is behind counts in the window that another instance has started.
 */
const countAt = async (
  db: Database,
  key: Key,
  { now, windowMs, requests }: Counting,
  existence: Existence,
): Promise<{ item: Record<string, unknown>; counted: Counted } | undefined> => {
  let windowStart = Math.floor(now / windowMs) * windowMs;
  let turn = false;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const counting: Update = { now, windowMs, requests, windowStart, turn, existence };
    const result = await withinCallersTime(now + counterMs, () => update(db, key, counting));
    if (result.written && result.item) {
      const { rateCount, rateWindow } = Counter.parse(result.item);
      return { item: result.item, counted: { count: rateCount, windowStart: rateWindow } };
    }
    if (!result.item) {
      if (existence === "must-exist") return undefined;
      turn = false;
      continue;
    }
    const standing = Counter.parse(result.item).rateWindow;
    turn = standing < windowStart;
    if (!turn) windowStart = standing;
  }
  throw new Error("the request counter changed too often to be written");
};

type Update = Counting & {
  windowStart: number;
  turn: boolean;
  existence: Existence;
};

const update = (
  db: Database,
  key: Key,
  { now, windowMs, requests, windowStart, turn, existence }: Update,
): Promise<WriteOutcome> => {
  const mayBeNew = existence === "may-be-new";
  const set = [
    turn ? "rateCount = :requests" : "",
    turn || mayBeNew ? "rateWindow = :window" : "",
    mayBeNew ? "#ttl = :ttl" : "lastUsedAt = :now",
  ].filter((part) => part !== "");
  const standing = turn ? "rateWindow < :window" : "rateWindow = :window";
  return updateItem(db, {
    Key: key,
    UpdateExpression: `SET ${set.join(", ")}${turn ? "" : " ADD rateCount :requests"}`,
    ConditionExpression: mayBeNew && !turn ? `attribute_not_exists(pk) OR ${standing}` : standing,
    ...(mayBeNew && { ExpressionAttributeNames: { "#ttl": "ttl" } }),
    ExpressionAttributeValues: {
      ":requests": requests,
      ":window": windowStart,
      ...(mayBeNew ? { ":ttl": Math.ceil((windowStart + 2 * windowMs) / 1_000) } : { ":now": now }),
    },
    ReturnValues: "ALL_NEW",
  });
};
