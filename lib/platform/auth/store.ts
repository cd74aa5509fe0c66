import * as z from "zod";
import type { Database } from "../db/database.ts";
import type { Key } from "../db/keys.ts";
import { addressRateKey, userRateKey, webhookRateKey } from "./keys.ts";
import type { Counted, Window } from "./rate-limit.ts";
import { type Counting, countAt, type Existence } from "./request-counter.ts";

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

const countFrom = async (
  db: Database,
  key: Key,
  counting: Counting,
  existence: Existence = "may-be-new",
): Promise<{ item: Record<string, unknown>; counted: Counted }> => {
  const counted = { count: counting.requests, windowStart: counting.now };
  return (await countAt(db, key, counting, existence)) ?? { item: {}, counted };
};
