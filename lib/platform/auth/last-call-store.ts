import * as z from "zod";
import type { Database } from "../db/database.ts";
import { getItems } from "../db/get-items.ts";
import { patch } from "../db/patch-item.ts";
import { updateItem } from "../db/write-item.ts";
import { addressUsersKey, userRateKey } from "./keys.ts";
import { isAddress } from "./mail-address.ts";

/** Maximum users that the last calls of a verified address are found for. */
const maxUsers = 20;

/**
 * RATE#EMAIL#org#address / USERS, then RATE#USER#org#user / RATE: makes a user's calls findable by their verified
 * address. Idempotent; the user's item is marked last, so that a failure is repeated by the next call.
 */
export const linkAddress = async (
  db: Database,
  { organizationId, userId, address }: { organizationId: string; userId: string; address: string },
): Promise<void> => {
  await updateItem(db, {
    Key: addressUsersKey(organizationId, address),
    UpdateExpression: "ADD #users :user",
    ConditionExpression: "attribute_not_exists(#users) OR size(#users) < :most",
    ExpressionAttributeNames: { "#users": "users" },
    ExpressionAttributeValues: { ":user": new Set([userId]), ":most": maxUsers },
  });
  const key = userRateKey(organizationId, userId);
  await updateItem(db, patch(key, { set: { linkedTo: address } }));
};

const Calls = z.object({
  lastUsedAt: z.number().default(0),
  /** The verified address of the last call that had one, and when that was. */
  address: z.string().optional(),
  addressUsedAt: z.number().default(0),
});

const AddressUsers = z.object({ users: z.set(z.string()) });

/**
 * RATE#USER#org#user / RATE: returns the last calls of users by id or by verified address, Unix milliseconds; none for
 * who never called.
 */
export const findLastCalls = async (
  db: Database,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, number>> => {
  const [own, byAddress] = await Promise.all([
    getCalls(db, organizationId, userIds),
    findAddressUsers(db, organizationId, userIds.filter(isAddress)),
  ]);
  return new Map(
    userIds.flatMap((userId) => {
      const last = Math.max(
        own.get(userId)?.lastUsedAt ?? 0,
        ...(byAddress.get(userId) ?? []).map(({ lastUsedAt }) => lastUsedAt),
      );
      return last === 0 ? [] : [[userId, last] as const];
    }),
  );
};

const getCalls = async (
  db: Database,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, z.output<typeof Calls>>> => {
  const keys = userIds.map((userId) => userRateKey(organizationId, userId));
  const found = await getItems(db, keys, Calls);
  return new Map(
    userIds.flatMap((userId, at) => {
      const calls = found[at];
      return calls ? [[userId, calls] as const] : [];
    }),
  );
};

/** A user who called with a verified address, and when last, Unix milliseconds. */
export type AddressUser = { userId: string; lastUsedAt: number };

/** RATE#EMAIL#org#address / USERS: returns users by the verified address of their last call with one. */
export const findAddressUsers = async (
  db: Database,
  organizationId: string,
  addresses: readonly string[],
): Promise<Map<string, AddressUser[]>> => {
  const keys = addresses.map((address) => addressUsersKey(organizationId, address));
  const found = await getItems(db, keys, AddressUsers);
  const users = [...new Set(found.flatMap((item) => [...(item?.users ?? [])]))];
  const calls = [...(await getCalls(db, organizationId, users))];
  return Map.groupBy(
    calls.flatMap(([userId, { address, addressUsedAt }]) =>
      address === undefined ? [] : [{ userId, address, lastUsedAt: addressUsedAt }],
    ),
    ({ address }) => address,
  );
};
