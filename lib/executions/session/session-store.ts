import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { computeTtl } from "../../tenancy/tenant/retention.ts";
import { triggerTypes } from "../schemas.ts";
import { type SessionPlace, sessionIndexAttributes, sessionKey } from "./keys.ts";
import { SessionItem, type Waiter } from "./session-item.ts";

/** TENANT#t#AGENT#a#SESSIONS#s / SESSION#digest: reads a session, also one that has expired. */
export const getSession = (db: Database, place: SessionPlace): Promise<SessionItem | undefined> =>
  getItem(db, sessionKey(place), SessionItem);

/** A session that an execution takes. */
export type TakenSession = {
  place: SessionPlace;
  id: string;
  executionId: string;
  starter: { type: number; id: string };
  /** Principal that must have started it by a call of the API, where it exists; undefined for none. */
  requiredStarter?: string | undefined;
  endUserId?: string | undefined;
  /** Marks of the person of the execution. */
  persons: readonly string[];
  /** Whether it must be of the same end user, where both are known. */
  isOneUsers: boolean;
  /** For a session that is new. */
  instance: string;
  now: number;
};

/** Builds the write that takes a session without a holder, or creates it. Its condition fails for one that has expired. */
export const takeFreeSession = ({
  place,
  id,
  executionId,
  starter,
  requiredStarter,
  endUserId,
  persons,
  isOneUsers,
  instance,
  now,
}: TakenSession): TransactionWrite => {
  const first = {
    id,
    instance,
    starter,
    createdAt: now,
    modifiedAt: now,
    ...(endUserId !== undefined && { endUserId }),
    ...sessionIndexAttributes(place, instance),
  };
  const names = Object.keys(first);
  const ofUser = endUserId !== undefined && isOneUsers;
  return {
    Update: {
      Key: sessionKey(place),
      UpdateExpression: `SET holder = :holder, ${names
        .map((name) => `#${name} = if_not_exists(#${name}, :${name})`)
        .join(", ")} REMOVE #ttl ADD version :one${persons.length > 0 ? ", persons :persons" : ""}`,
      ConditionExpression: `attribute_not_exists(holder) AND (attribute_not_exists(#ttl) OR #ttl > :seconds)${
        ofUser ? " AND (attribute_not_exists(endUserId) OR endUserId = :endUserId)" : ""
      }${
        requiredStarter === undefined
          ? ""
          : " AND (attribute_not_exists(#starter) OR (#starter.id = :required AND #starter.#type IN (:api, :test)))"
      }`,
      ExpressionAttributeNames: {
        ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
        "#ttl": "ttl",
        ...(requiredStarter !== undefined && { "#type": "type" }),
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(first).map(([name, value]) => [`:${name}`, value])),
        ":holder": executionId,
        ":seconds": now / 1_000,
        ":one": 1,
        ...(persons.length > 0 && { ":persons": new Set(persons) }),
        ...(requiredStarter !== undefined && {
          ":required": requiredStarter,
          ":api": triggerTypes.api,
          ":test": triggerTypes.test,
        }),
      },
    },
  };
};

/** Builds the write that puts a new session in the place of an expired one. */
export const replaceExpiredSession = (
  { place, id, executionId, starter, endUserId, persons, instance, now }: TakenSession,
  seen: SessionItem,
): TransactionWrite => ({
  Put: {
    Item: {
      ...sessionKey(place),
      ...sessionIndexAttributes(place, instance),
      version: seen.version + 1,
      instance,
      holder: executionId,
      id,
      starter,
      ...(endUserId !== undefined && { endUserId }),
      ...(persons.length > 0 && { persons: new Set(persons) }),
      createdAt: now,
      modifiedAt: now,
    },
    ...asSeen(seen),
  },
});

const asSeen = ({ version }: Pick<SessionItem, "version">) => ({
  ConditionExpression: "version = :seen",
  ExpressionAttributeValues: { ":seen": version },
});

/** Builds the write that changes a session which is as it was seen; undefined members are removed. */
export const changeSession = (
  place: SessionPlace,
  seen: Pick<SessionItem, "version">,
  change: Record<string, unknown>,
): TransactionWrite => {
  const all = { ...change, version: seen.version + 1 };
  const set = Object.entries(all).filter(([, value]) => value !== undefined);
  const removed = Object.entries(all).flatMap(([name, value]) => (value === undefined ? name : []));
  const { ConditionExpression, ExpressionAttributeValues } = asSeen(seen);
  return {
    Update: {
      Key: sessionKey(place),
      UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(", ")}${
        removed.length > 0 ? ` REMOVE ${removed.map((name) => `#${name}`).join(", ")}` : ""
      }`,
      ConditionExpression: ConditionExpression.replace("version", "#version"),
      ExpressionAttributeNames: Object.fromEntries(
        Object.keys(all).map((name) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: {
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
        ...ExpressionAttributeValues,
      },
    },
  };
};

/** Builds the write that removes a session which is as it was seen. */
export const removeSession = (
  place: SessionPlace,
  seen: Pick<SessionItem, "version">,
): TransactionWrite => ({ Delete: { Key: sessionKey(place), ...asSeen(seen) } });

/** Returns marks of people as a session stores them; none are not stored. */
export const toStoredPersons = (persons: Iterable<string>): Set<string> | undefined => {
  const marks = new Set(persons);
  return marks.size === 0 ? undefined : marks;
};

/** Adds a waiter to a queue as it is stored; an empty queue is not stored. */
export const toStoredQueue = (queue: readonly Waiter[]): readonly Waiter[] | undefined =>
  queue.length === 0 ? undefined : queue;

/**
 * The end of an execution that may hold a session. `appended`: the instance and the number of the turn that it adds, and the
 * marks of the person who wrote it.
 */
export type HolderEnd = {
  place: SessionPlace;
  executionId: string;
  now: number;
  keptDays: number;
  appended?: { instance: string; number: number; persons: readonly string[] } | undefined;
};

/** Builds the write that frees a session without a queue, unless it is deleted, or people were deleted from it. */
export const freeSession = ({
  place,
  executionId,
  now,
  keptDays,
  appended,
}: HolderEnd): TransactionWrite => ({
  Update: {
    Key: sessionKey(place),
    UpdateExpression: `SET #ttl = :ttl, modifiedAt = :now${
      appended ? ", turnCount = :count" : ""
    } REMOVE holder ADD version :one`,
    ConditionExpression: `holder = :me AND attribute_not_exists(#queue) AND attribute_exists(createdAt) AND attribute_not_exists(erased)${
      appended ? " AND #instance = :instance" : ""
    }`,
    ExpressionAttributeNames: {
      "#ttl": "ttl",
      "#queue": "queue",
      ...(appended && { "#instance": "instance" }),
    },
    ExpressionAttributeValues: {
      ":ttl": computeTtl(now, keptDays),
      ":now": now,
      ":me": executionId,
      ":one": 1,
      ...(appended && { ":instance": appended.instance, ":count": appended.number + 1 }),
    },
  },
});
