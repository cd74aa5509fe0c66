import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Key } from "../../platform/db/keys.ts";
import { transact } from "../../platform/db/transact.ts";
import { conflict, type Problem } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { isKept } from "../../tenancy/tenant/retention.ts";
import { toDormant } from "../record/waiting-store.ts";
import { getStarter } from "../schemas.ts";
import { listPersons } from "./persons.ts";
import { isHolderGone, passOn, sendNext } from "./release-session.ts";
import type { SessionItem } from "./session-item.ts";
import {
  changeSession,
  getSession,
  replaceExpiredSession,
  type TakenSession,
  takeFreeSession,
  toStoredPersons,
  toStoredQueue,
} from "./session-store.ts";

/** Maximum executions that wait for a session. */
export const maxQueued = 100;
const maxAttempts = 50;

/** A session takes no further execution, or not that of this end user; the message is safe to show. */
export class SessionRefused extends Error {
  override readonly name = "SessionRefused";
}

/** Requires that a session is new, or was started by a principal, before anything is done for it. Throws 409. */
export const requireOwnSession = async (
  db: Database,
  {
    place,
    id,
    requiredStarter,
    now,
  }: Pick<TakenSession, "place" | "id" | "now"> & { requiredStarter: string },
): Promise<void> => {
  const seen = await getSession(db, place);
  if (!seen || !isKept(seen, now)) return;
  requireStarter({ id, requiredStarter }, seen);
};

/** A new execution of a session. */
export type SessionStart = {
  taken: TakenSession;
  /** The record of the execution if it gets the session. */
  record: Key & Record<string, unknown>;
  whenBusy: "wait" | "reject";
  /** Until when its caller waits with it, Unix milliseconds; 0 for none. */
  until: number;
  keptDays: number;
};

/**
 * Writes a new execution together with its turn in a session: it has the session, or waits for it in the order of arrival
 * ("queued"). "exists": it was written before. Throws SessionRefused for a busy session that it may not wait for, and for a
 * session of another end user; 409 for one of another caller, and for one that others change all the time.
 */
export const occupySession = async (
  deps: { db: Database; send: Send },
  start: SessionStart,
): Promise<"written" | "queued" | "exists"> => {
  const { db } = deps;
  const { taken, record } = start;
  const put = { Put: { Item: record, ...ifNew } };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const first = await transact(db, [put, takeFreeSession(taken)]);
    if (first.written) return "written";
    if (first.failed[0]) return "exists";
    const seen = await getSession(db, taken.place);
    const outcome = seen && (await occupySeen(deps, start, seen));
    if (outcome && outcome !== "changed") return outcome;
  }
  throw conflict(`The session "${taken.id}" is being changed by concurrent requests. Try again.`);
};

type Outcome = "written" | "queued" | "exists" | "changed";

const occupySeen = async (
  deps: { db: Database; send: Send },
  start: SessionStart,
  seen: SessionItem,
): Promise<Outcome> => {
  const { db, send } = deps;
  const { taken, record, whenBusy, until, keptDays } = start;
  const { place, id, executionId, starter, endUserId, persons, isOneUsers, now } = taken;
  const put = { Put: { Item: record, ...ifNew } };
  const write = async (
    writes: Parameters<typeof transact>[1],
    outcome: "written" | "queued",
  ): Promise<Outcome> => {
    const sent = await transact(db, writes);
    if (sent.written) return outcome;
    return sent.failed[0] ? "exists" : "changed";
  };
  if (seen.holder === undefined) {
    if (!isKept(seen, now)) return write([put, replaceExpiredSession(taken, seen)], "written");
    requireStarter(taken, seen);
    requireUser(taken, seen);
    return "changed";
  }
  if (seen.holder === executionId) return "exists";
  requireStarter(taken, seen);
  requireUser(taken, seen);
  if (await isHolderGone(db, place, seen.holder)) {
    const passed = await passOn(db, { place, executionId: seen.holder, now, keptDays }, seen);
    const isPassed = (await transact(db, passed.writes)).written;
    if (isPassed && passed.next) await sendNext(send, place, { next: passed.next, now });
    return "changed";
  }
  if (whenBusy === "reject") {
    throw new SessionRefused(
      `The session "${id}" is busy: the execution ${seen.holder} has not ended. Try again when it has.`,
    );
  }
  if (seen.queue.some((waiter) => waiter.id === executionId)) return "exists";
  if (seen.queue.length >= maxQueued) {
    throw new SessionRefused(
      `${maxQueued} executions wait for the session "${id}". Try again later.`,
    );
  }
  const owner = endUserId ?? (isOneUsers ? seen.endUserId : undefined);
  const marks = [...new Set([...persons, ...listPersons({ endUserId: owner })])];
  const starterId = getStarter(starter);
  const waiter = {
    id: executionId,
    until,
    ...(starterId !== null && { starterId }),
    ...(endUserId !== undefined && { endUserId }),
    persons: marks,
  };
  const queue = toStoredQueue([...seen.queue, waiter]);
  const isUnowned = seen.endUserId === undefined && seen.createdAt !== undefined;
  const change = {
    queue,
    persons: toStoredPersons([...seen.persons, ...marks]),
    ...(isUnowned && endUserId !== undefined && isOneUsers && { endUserId }),
  };
  const owned = { ...record, ...(owner !== undefined && { endUserId: owner }) };
  const dormant = { Put: { Item: toDormant(owned), ...ifNew } };
  return write([dormant, changeSession(place, seen, change)], "queued");
};

/** Throws 409 for a session that another principal started or, after its deletion, may begin again. */
const requireStarter = (
  { id, requiredStarter }: Pick<TakenSession, "id" | "requiredStarter">,
  { starter, queue, createdAt }: SessionItem,
): void => {
  if (requiredStarter === undefined) return;
  const isOwn =
    createdAt === undefined
      ? queue.every(({ starterId }) => starterId === requiredStarter)
      : getStarter(starter) === requiredStarter;
  if (!isOwn) throw notOwn(id);
};

const notOwn = (id: string): Problem =>
  conflict(`The session "${id}" belongs to another caller. Begin one of your own.`);

const requireUser = ({ id, endUserId, isOneUsers }: TakenSession, seen: SessionItem): void => {
  if (!isOneUsers || endUserId === undefined || seen.endUserId === undefined) return;
  if (seen.endUserId === endUserId) return;
  throw new SessionRefused(`The session "${id}" belongs to another end user.`);
};
