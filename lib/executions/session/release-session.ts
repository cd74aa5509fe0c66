import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { computeTtl } from "../../tenancy/tenant/retention.ts";
import { resendAfterMs } from "../lease/execution-lease.ts";
import type { RunExecutionMessage } from "../messages.ts";
import { type ExecutionRecord, isOpen, ListedExecution } from "../record/execution-record.ts";
import { executionKey } from "../record/keys.ts";
import { wakeDormant } from "../record/waiting-store.ts";
import { type SessionPlace, sessionIndexAttributes } from "./keys.ts";
import { isErased } from "./persons.ts";
import type { SessionItem, Waiter } from "./session-item.ts";
import {
  changeSession,
  freeSession,
  getSession,
  type HolderEnd,
  removeSession,
  toStoredQueue,
} from "./session-store.ts";

/** The end of an execution of a session. */
export type SessionEnd = HolderEnd & {
  /** Writes of the turn that it adds, made only while its session exists. */
  turnWrites?: readonly TransactionWrite[] | undefined;
};

/** Writes of the transaction that ends an execution: its turn, and who has the session next. */
export type SessionWrites = {
  writes: readonly TransactionWrite[];
  /** The execution that has the session next. */
  next: Waiter | undefined;
  /** Whether the turn is added. */
  isAppended: boolean;
};

/** Builds the writes for a session without a queue; no read is needed. */
export const releaseFree = (end: SessionEnd): SessionWrites => ({
  writes: [freeSession(end), ...(end.appended ? (end.turnWrites ?? []) : [])],
  next: undefined,
  isAppended: end.appended !== undefined,
});

/** Builds the writes for a session as it is now: deleted, without its person, or with executions that wait for it. */
export const releaseAsRead = async (db: Database, end: SessionEnd): Promise<SessionWrites> => {
  const { place, executionId, appended, turnWrites = [] } = end;
  const seen = await getSession(db, place);
  if (seen?.holder !== executionId) return { writes: [], next: undefined, isAppended: false };
  const isAppended =
    appended !== undefined &&
    appended.instance === seen.instance &&
    appended.number === seen.turnCount &&
    !isErased(seen.erased, { persons: appended.persons, executionId });
  const { writes, next } = await passOn(
    db,
    { ...end, appended: isAppended ? appended : undefined },
    seen,
  );
  return { writes: [...writes, ...(isAppended ? turnWrites : [])], next, isAppended };
};

/** Builds the writes that give a session to the first execution that waits for it, or free it. */
export const passOn = async (
  db: Database,
  { place, now, keptDays, appended }: HolderEnd,
  seen: SessionItem,
): Promise<{ writes: readonly TransactionWrite[]; next: Waiter | undefined }> => {
  const { next, queue } = await findNext(db, place, seen.queue);
  const isDeleted = seen.createdAt === undefined;
  if (!next && isDeleted) return { writes: [removeSession(place, seen)], next };
  const change = changeSession(place, seen, {
    holder: next?.waiter.id,
    queue: toStoredQueue(queue),
    modifiedAt: now,
    ttl: next ? undefined : computeTtl(now, keptDays),
    ...(appended && { turnCount: appended.number + 1 }),
    ...(next && isDeleted && !next.waiter.isErased && begin(place, seen, next, now)),
  });
  if (!next) return { writes: [change], next };
  const { waiter } = next;
  const key = { tenantId: place.tenantId, agentId: place.agentId, executionId: waiter.id };
  return { writes: [change, wakeDormant(key, now + resendAfterMs(1))], next: waiter };
};

/** A waiter with its record. */
type WaitingRecord = { waiter: Waiter; record: ExecutionRecord };

/** Returns the members with which a waiter begins the session again after its deletion. */
const begin = (
  place: SessionPlace,
  { instance }: Pick<SessionItem, "instance">,
  { waiter: { endUserId }, record: { session, trigger } }: WaitingRecord,
  now: number,
): Record<string, unknown> => ({
  id: session?.id,
  starter: { type: trigger.type, id: trigger.id },
  endUserId,
  createdAt: now,
  ...sessionIndexAttributes(place, instance),
});

/** Returns the first waiter that was not cancelled, and those after it. */
const findNext = async (
  db: Database,
  { tenantId, agentId }: SessionPlace,
  queue: readonly Waiter[],
): Promise<{ next: WaitingRecord | undefined; queue: readonly Waiter[] }> => {
  if (queue.length === 0) return { next: undefined, queue };
  const keys = queue.map(({ id }) => executionKey({ tenantId, agentId, executionId: id }));
  const records = await getItems(db, keys, ListedExecution);
  const at = records.findIndex((record) => record?.status === "Queued");
  const [waiter, record] = [queue[at], records[at]];
  if (!waiter || !record) return { next: undefined, queue: [] };
  return { next: { waiter, record }, queue: queue.slice(at + 1) };
};

/** Returns whether the execution that has a session has ended without freeing it, or does not exist. */
export const isHolderGone = async (
  db: Database,
  { tenantId, agentId }: SessionPlace,
  holder: string,
): Promise<boolean> => {
  const key = executionKey({ tenantId, agentId, executionId: holder });
  const [record] = await getItems(db, [key], ListedExecution);
  return !record || !isOpen(record);
};

/** A caller that waits with its execution runs it itself: the worker's message is later by this time. */
const callerSeconds = 3;

/** Asks a worker to run the execution that has the session next. A failed send is only logged: recovery sends it again. */
export const sendNext = async (
  send: Send,
  { tenantId, agentId }: SessionPlace,
  { next, now }: { next: Waiter; now: number },
): Promise<void> => {
  const { id: executionId, until } = next;
  const runs = [{ agentId, executionId }];
  const message: RunExecutionMessage = { type: "run-execution", tenantId, runs };
  try {
    await send("executions", tenantId, message, until > now ? callerSeconds : undefined);
  } catch (error) {
    log("executions-not-queued", { executionIds: [executionId], error: asError(error) });
  }
};
