import type { Database } from "../../platform/db/database.ts";
import { type InsertOutcome, insertTogether } from "../../platform/db/insert-together.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import { putSubExecution } from "../checkpoints/checkpoint-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { leaseMs, maxClaims, maxExecutionMs, resendAfterMs } from "../lease/execution-lease.ts";
import type { ExecutionLease, ExecutionRecord } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import { putNewExecution } from "../record/store.ts";
import { toSessionPlace } from "../session/keys.ts";
import { occupySession } from "../session/occupy-session.ts";
import { listPersons } from "../session/persons.ts";
import { type NewItems, newExecution } from "./new-record.ts";
import type { PlannedStart } from "./plan-start.ts";
import {
  enqueueExecutions,
  type QueuedExecution,
  toCarriedAgent,
  toCarriedInput,
} from "./queue-executions.ts";

/** Dependencies of starting an execution. */
export type StartDeps = Pick<
  ExecutionDeps,
  "db" | "objects" | "sealer" | "send" | "loadRevision" | "runtime"
>;

/**
 * A written execution. `isNew` is false when an execution of that id was written before. `isDormant`: it waits for its turn
 * in its session. `queued`: for its message.
 */
export type CreatedExecution = {
  item: ExecutionRecord;
  isNew: boolean;
  isDormant: boolean;
  queued: QueuedExecution;
};

/**
 * Compressed bytes of input that a record may have. Every write of the record pays for them; a
 * separate item is written once, but takes another call if it is written first.
 */
const maxInline = { alone: 1_500, together: 500 };

/**
 * Writes a new execution, its input first, and queues it if a worker runs it. With a busy session, it waits for its turn.
 * Throws 409 for one that may not wait.
 */
export const startExecution = async (
  deps: StartDeps,
  request: PlannedStart,
): Promise<CreatedExecution> => {
  const created = await createExecution(deps, request);
  const { isNew, isDormant, queued } = created;
  if (isNew && !isDormant && request.runner.type === "worker") {
    await enqueueExecutions(deps.send, request.tenantId, [queued]);
  }
  return created;
};

const createExecution = async (
  deps: StartDeps,
  request: PlannedStart,
): Promise<CreatedExecution> => {
  const now = deps.runtime.clock();
  const items = await build(deps, request, maxInline.alone);
  const parts = [items.part, items.draftPart].flatMap((part) => part ?? []);
  await Promise.all(parts.map(({ item: Item }) => putItem(deps.db, { Item })));
  const outcome = await write(deps, request, items);
  const isNew = outcome !== "exists";
  const isDormant = outcome === "queued";
  const queued = toQueued(request, items, { isNew, now });
  const item = isDormant ? { ...items.item, status: "Queued" as const } : items.item;
  return { item, isNew, isDormant, queued };
};

type Failure = { error: unknown };

/**
 * Writes new executions of one tenant independently, without queueing them. Returns for each
 * request, in order, the execution or why it could not be written. Recovery queues the unqueued
 * ones within two minutes. Records and inputs are written in one call, in no order, so the starter
 * must repeat a failed start until it succeeds: an execution without its input cannot run. Not for
 * sub-agents.
 */
export const createExecutions = async (
  deps: StartDeps,
  requests: readonly PlannedStart[],
): Promise<(CreatedExecution | Failure)[]> => {
  const now = deps.runtime.clock();
  const ofSessions = new Map<PlannedStart, CreatedExecution | Failure>();
  // In their order, which is that of their turns.
  for (const request of requests) {
    if (!request.session) continue;
    const created = createExecution(deps, request);
    ofSessions.set(request, await created.catch((error: unknown): Failure => ({ error })));
  }
  const others = requests.filter((request) => !ofSessions.has(request));
  const written = await createTogether(deps, others, now);
  return requests.map(
    (request) =>
      ofSessions.get(request) ?? written.get(request) ?? { error: new Error("not written") },
  );
};

const createTogether = async (
  deps: StartDeps,
  requests: readonly PlannedStart[],
  now: number,
): Promise<Map<PlannedStart, CreatedExecution | Failure>> => {
  const built = await Promise.all(
    requests.map((request) =>
      build(deps, request, maxInline.together).catch((error: unknown): Failure => ({ error })),
    ),
  );
  const all = built.flatMap((items) => ("error" in items ? [] : [items]));
  const inserted = await insertAll(deps.db, all);
  const toCreated = (request: PlannedStart, at: number): CreatedExecution | Failure => {
    const items = built[at] ?? { error: new Error("not built") };
    if ("error" in items) return items;
    const outcome = inserted.get(items) ?? { error: new Error("not written") };
    if (typeof outcome !== "string") return outcome;
    const isNew = outcome === "written";
    const queued = toQueued(request, items, { isNew, now });
    return { item: items.item, isNew, isDormant: false, queued };
  };
  return new Map(requests.map((request, at) => [request, toCreated(request, at)]));
};

const insertAll = async (
  db: Database,
  all: readonly NewItems[],
): Promise<Map<NewItems, InsertOutcome>> => {
  const [first, ...others] = all;
  if (first && !first.part && others.length === 0) {
    const outcome = putNewExecution(db, first.record);
    return new Map([[first, await outcome.catch((error: unknown): Failure => ({ error }))]]);
  }
  const items = all.flatMap(({ record, part }) => (part ? [record, part.item] : [record]));
  const inserted = await insertTogether(db, items);
  const outcomes = new Map(items.map((item, at) => [item, inserted[at]]));
  return new Map(
    all.map((writes) => {
      const part = writes.part && outcomes.get(writes.part.item);
      const record = outcomes.get(writes.record) ?? "exists";
      return [writes, typeof part === "object" ? part : record];
    }),
  );
};

const write = (
  deps: StartDeps,
  { tenantId, runner, session, trigger }: PlannedStart,
  { item, record }: NewItems,
): Promise<"written" | "queued" | "exists"> => {
  if (session) {
    const { id, endUserId, isOneUsers, whenBusy, until, keptDays } = session;
    const taken = {
      place: toSessionPlace(tenantId, item.agentId, id),
      id,
      executionId: item.id,
      starter: { type: trigger.type, id: trigger.id },
      endUserId,
      persons: listPersons(item),
      isOneUsers,
      instance: newUuid(deps.runtime),
      now: deps.runtime.clock(),
    };
    return occupySession(deps, { taken, record, whenBusy, until, keptDays });
  }
  const pointer =
    runner.type === "parent"
      ? putSubExecution(tenantId, runner.parentId, runner.path, toExecutionKey(item))
      : undefined;
  return putNewExecution(deps.db, record, pointer);
};

const toQueued = (
  { runner }: PlannedStart,
  { item, part }: NewItems,
  { isNew, now }: { isNew: boolean; now: number },
): QueuedExecution => {
  const { agentId, id } = item;
  if (!isNew || runner.type !== "worker") return { agentId, id };
  const { agent } = runner;
  return {
    agentId,
    id,
    agent: agent && toCarriedAgent(agent, now),
    input: part && toCarriedInput(part.name, part.item.value),
  };
};

const build = (
  deps: StartDeps,
  { runner, limitMs, ...execution }: PlannedStart,
  maxInlineBytes: number,
): Promise<NewItems> => {
  const isRunning = runner.type === "caller" || runner.type === "parent";
  const status = isRunning ? "Running" : "Queued";
  const now = deps.runtime.clock();
  const lease = createLease({ runner, limitMs }, now);
  const keptDays = async () =>
    (await findRetention(deps.db, execution.tenantId, now)).executionDays;
  const agentCreatedAt = runner.type === "worker" ? runner.agent?.createdAt : undefined;
  return newExecution(deps, {
    execution: { ...execution, status },

    lease,
    maxInline: maxInlineBytes,
    keptDays,
    ...(agentCreatedAt !== undefined && { agentCreatedAt }),
  });
};

/** Returns the lease of a new execution from `now` on; a sub-agent's has none. */
const createLease = (
  { runner, limitMs }: Pick<PlannedStart, "runner" | "limitMs">,
  now: number,
): ExecutionLease | undefined => {
  const none = { owner: null, endsBy: undefined, limitMs: undefined, claims: 0, sends: 0 };
  switch (runner.type) {
    case "worker":
      return { ...none, leaseUntil: now + resendAfterMs(1), limitMs, sends: 1 };
    case "caller": {
      const endsBy = now + maxExecutionMs;
      return { ...none, owner: runner.owner, leaseUntil: now + leaseMs, endsBy, claims: 1 };
    }
    case "parent":
      return undefined;
    case "none":
      return { ...none, owner: runner.owner, leaseUntil: now + leaseMs, claims: maxClaims };
  }
};
