import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listIndex } from "../../platform/db/list-index.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { transact } from "../../platform/db/transact.ts";
import { deleteItems, type PurgeStep } from "../../platform/deletion/purge.ts";
import { requestPurge } from "../../platform/deletion/tombstone.ts";
import type { Send } from "../../platform/queue/send.ts";
import { parseUuidTime, type Runtime } from "../../platform/runtime/runtime.ts";
import { type ExecutionRecord, isOpen, ListedExecution } from "../record/execution-record.ts";
import { executionKey, toExecutionKey } from "../record/keys.ts";
import { replaceSession, sessionTombstones } from "./delete-session.ts";
import {
  deletedAgentSessionsList,
  parseDeletedSessionKey,
  parseSessionKey,
  type SessionPlace,
  sessionsIndexList,
} from "./keys.ts";
import { readParts } from "./load-session.ts";
import { listPersons, nameEndUser, toPersonMark } from "./persons.ts";
import { SessionItem, type SessionSummaryItem, type TurnItem } from "./session-item.ts";
import { changeSession } from "./session-store.ts";

type EraseDeps = { db: Database; send: Send; runtime: Runtime };

/** A person of an agent who is deleted. */
export type ErasedPerson = {
  tenantId: TenantId;
  agentId: string;
  /** See `toPersonMark`. */
  person: string;
  /** Their mark as an end user. */
  owner: string;
  /** Executions that began later are kept. Unix milliseconds. */
  at: number;
};

/** An item with content of a session that is deleted. */
type Said = TurnItem | SessionSummaryItem;

/** Items that are left to delete of some of an agent's sessions. `last`: the session from which the next call may begin. */
type ErasedSessions = { left: readonly Said[]; last: string };

/**
 * Deletes what a person wrote in the sessions of an agent: the sessions that are only theirs, and their turns in others, with
 * the summaries that may have them. Immediately, and also for executions that end later. Yields the items that are left to
 * delete. The index may miss a session of this moment: safe to repeat.
 */
async function* eraseInSessions(
  deps: EraseDeps,
  erased: ErasedPerson,
  from: string | undefined,
): AsyncGenerator<ErasedSessions> {
  const list = sessionsIndexList(erased.tenantId, erased.agentId);
  const between = from !== undefined && {
    between: { from: list.prefix + from, to: `${list.prefix}~` },
  };
  for await (const keys of listIndex(deps.db, { list, ...between })) {
    const sessions = await getItems(deps.db, keys, SessionItem);
    const left: Said[] = [];
    for (const [at, key] of keys.entries()) {
      const session = sessions[at];
      if (!session || !hasPerson(session, erased.person)) continue;
      left.push(...(await eraseInSession(deps, parseSessionKey(key), erased)));
    }
    const last = sessions.findLast((session) => session !== undefined);
    if (last) yield { left, last: last.instance };
  }
}

/**
 * Hides what a person wrote in the sessions of an agent, until a time (Unix milliseconds): the sessions that are only theirs are
 * deleted, and their turns in others are not read any more.
 */
export const hidePersonTurns = async (
  deps: EraseDeps,
  { erased, until }: { erased: ErasedPerson; until: number },
): Promise<void> => {
  for await (const _ of eraseInSessions(deps, erased, undefined)) {
    if (deps.runtime.clock() >= until) return;
  }
};

/**
 * Returns the steps that delete what a deleted person wrote in the sessions of an agent.
 * @param input `from`: where the run before ended; `saveEnd`: records where this one does, undefined for the last session
 */
export const purgePersonTurns = (
  deps: Omit<EraseDeps, "db">,
  {
    erased,
    from,
    saveEnd,
  }: {
    erased: ErasedPerson;
    from: string | undefined;
    saveEnd: (db: Database, last: string | undefined) => Promise<void>;
  },
): readonly PurgeStep[] => [
  async ({ db, objects, isTimeOver }) => {
    for await (const { left, last } of eraseInSessions({ ...deps, db }, erased, from)) {
      await deleteItems({ db, objects }, { items: left, objects: listObjects });
      if (!isTimeOver()) continue;
      await saveEnd(db, last);
      return "more";
    }
    if (from !== undefined) await saveEnd(db, undefined);
    return "done";
  },
  // Of a call that ended before it requested the purge of a session.
  async ({ db }) => {
    const { tenantId, agentId } = erased;
    for await (const key of listAll(db, Key, deletedAgentSessionsList(tenantId, agentId))) {
      await requestPurge(deps.send, sessionTombstones, parseDeletedSessionKey(key));
    }
    return "done";
  },
];

const Key = z.object({ pk: z.string(), sk: z.string() });

const listObjects = (item: Said): string[] => {
  const value = "turn" in item ? item.turn : item.summary;
  return "object" in value ? [value.object] : [];
};

const hasPerson = ({ persons, endUserId }: SessionItem, person: string): boolean =>
  persons.has(person) ||
  (endUserId !== undefined && toPersonMark(nameEndUser(endUserId)) === person);

const eraseInSession = async (
  deps: EraseDeps,
  place: SessionPlace,
  erased: ErasedPerson,
): Promise<readonly Said[]> => {
  let left: readonly Said[] = [];
  const error = () => new Error(`the session ${place.digest} is changed by too many others`);
  await retryOnConflict({ error, attempts: 20 }, async () => {
    const { session, turns, summary } = await readParts(deps.db, place);
    if (session?.createdAt === undefined) return;
    const holder = await readHolder(deps.db, place, session);
    const isKept = (said: { persons: readonly string[]; executionId: string }) =>
      parseUuidTime(said.executionId) > erased.at ||
      (said.persons.length > 0 && !said.persons.includes(erased.person));
    const kept = [
      ...turns,
      ...session.queue.map(({ id, persons }) => ({ executionId: id, persons })),
      ...(holder ? [{ executionId: holder.id, persons: listPersons(holder) }] : []),
    ].filter(isKept);
    if (kept.length === 0) return removeWhole(deps, place, session, holder);
    left = [
      ...turns.filter((turn) => !isKept(turn)),
      ...(summary && summary.madeAt <= erased.at ? [summary] : []),
    ];
    const isTheirs = kept.some(({ persons }) => persons.includes(erased.person));
    return closeTo(deps.db, place, session, erased, { isTheirs });
  });
  return left;
};

const readHolder = async (
  db: Database,
  { tenantId, agentId }: SessionPlace,
  { holder }: SessionItem,
): Promise<ExecutionRecord | undefined> => {
  if (holder === undefined) return undefined;
  const key = executionKey({ tenantId, agentId, executionId: holder });
  const [record] = await getItems(db, [key], ListedExecution);
  return record && isOpen(record) ? record : undefined;
};

/** Deletes a session that no other person has. Executions that wait for it have it without turns. */
const removeWhole = async (
  deps: EraseDeps,
  place: SessionPlace,
  session: SessionItem,
  holder: ExecutionRecord | undefined,
): Promise<"changed" | undefined> => {
  const { instance, endUserId } = session;
  const queue = session.queue.map((waiter) => ({ ...waiter, isErased: true }));
  const isUnnamed = holder && listPersons(holder).length === 0;
  const writes = isUnnamed && endUserId !== undefined ? [putOwner(holder, endUserId)] : [];
  const replaced = await replaceSession(deps, { place, item: session, queue, writes });
  if (replaced === "changed") return replaced;
  await requestPurge(deps.send, sessionTombstones, { ...place, instance });
  return undefined;
};

/** Builds the write by which an execution knows its end user when the session does not name one any more. */
const putOwner = (record: ExecutionRecord, endUserId: string): TransactionWrite => ({
  Update: {
    Key: executionKey(toExecutionKey(record)),
    UpdateExpression: "SET endUserId = if_not_exists(endUserId, :endUserId)",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":endUserId": endUserId },
  },
});

/** Turns that a person wrote do not come back: no execution of them adds one that began before. */
const closeTo = async (
  db: Database,
  place: SessionPlace,
  session: SessionItem,
  { person, owner, at }: ErasedPerson,
  { isTheirs }: { isTheirs: boolean },
): Promise<"changed" | undefined> => {
  if (session.erased.some((known) => known.person === person && known.at >= at)) return undefined;
  const erased = [...session.erased.filter((known) => known.person !== person), { person, at }];
  const { endUserId } = session;
  const isOwner = endUserId !== undefined && toPersonMark(nameEndUser(endUserId)) === owner;
  const change = { erased, ...(isOwner && !isTheirs && { endUserId: undefined }) };
  const { written } = await transact(db, [changeSession(place, session, change)]);
  return written ? undefined : "changed";
};
