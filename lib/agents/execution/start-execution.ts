import type { Database } from "../../platform/db/database.ts";
import { type InsertOutcome, insertTogether } from "../../platform/db/insert-together.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { type QueuedExecution, toCarriedInput } from "./carried.ts";
import { putSubExecution } from "./checkpoint-store.ts";
import type { ExecutionDeps } from "./context.ts";
import { enqueueExecutions } from "./enqueue-executions.ts";
import type { ExecutionItem, Lease } from "./items.ts";
import type { RunAgent } from "./job.ts";
import { type NewExecution, type NewItems, newExecution } from "./new-execution.ts";
import { putNewExecution } from "./store.ts";
import { leaseMs, longestExecutionMs, maxClaims, resendAfterMs } from "./times.ts";

/** Dependencies of starting an execution. */
export type StartDeps = Pick<
  ExecutionDeps,
  "db" | "objects" | "sealer" | "send" | "loadRevision" | "runtime"
>;

/** The process that runs a new execution. */
export type Runner =
  /**
   * A worker. `limitMs`: maximum duration, default the general maximum. `agent`: as it was read, default: the worker
   * reads it.
   */
  | { type: "worker"; limitMs?: number | undefined; agent?: RunAgent }
  /** The caller, under a lease of its own. */
  | { type: "caller"; owner: string }
  /** The parent's run, under the parent's lease; `path` is the place of the call in the parent. */
  | { type: "parent"; parentId: string; path: string }
  /** Nobody: the caller ends it immediately. After a crash, the next worker abandons it. */
  | { type: "none"; owner: string };

/** A new execution and who runs it. */
export type StartRequest = Omit<NewExecution, "status"> & { runner: Runner };

/** A written execution. `isNew` is false when an execution of that id was written before. `queued`: for its message. */
export type CreatedExecution = { item: ExecutionItem; isNew: boolean; queued: QueuedExecution };

/**
 * Compressed bytes of input that a record may have. Each write of the record pays for them; an item of their own is
 * written once, in the same call.
 */
const maxInline = 500;

/** Writes a new execution, and queues it if a worker runs it. */
export const startExecution = async (
  deps: StartDeps,
  request: StartRequest,
): Promise<CreatedExecution> => {
  const [created] = await createExecutions(deps, [request]);
  if (!created) throw new Error("no execution was created");
  if ("error" in created) throw created.error;
  if (created.isNew && request.runner.type === "worker") {
    await enqueueExecutions(deps.send, request.tenantId, [created.queued]);
  }
  return created;
};

type Failure = { error: unknown };

/**
 * Writes new executions of one tenant without queueing them, each by itself: returns for each request, in order,
 * the execution or why it could not be written. Recovery queues those that a worker runs and nobody queued,
 * within two minutes.
 */
export const createExecutions = async (
  deps: StartDeps,
  requests: readonly StartRequest[],
): Promise<(CreatedExecution | Failure)[]> => {
  const now = deps.runtime.clock();
  const starts = await Promise.all(
    requests.map(async (request) => ({
      request,
      items: await build(deps, request).catch((error: unknown): Failure => ({ error })),
    })),
  );
  const inserted = insertAll(
    deps.db,
    starts.flatMap(({ request, items }) =>
      "error" in items || request.runner.type === "parent" ? [] : [items],
    ),
  );
  return Promise.all(
    starts.map(async ({ request, items }): Promise<CreatedExecution | Failure> => {
      if ("error" in items) return items;
      const { runner } = request;
      const outcome =
        runner.type === "parent"
          ? await insertChild(deps, request, runner, items)
          : (await inserted).get(items);
      if (typeof outcome !== "string") return outcome ?? { error: new Error("not written") };
      const isNew = outcome === "written";
      return { item: items.item, isNew, queued: toQueued(request, items, { isNew, now }) };
    }),
  );
};

/**
 * Writes records and inputs in one call, in no order: where only the input failed, the repeated start writes it. A run
 * before that fails, and is repeated.
 */
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
    all.map((each) => {
      const part = each.part && outcomes.get(each.part.item);
      const record = outcomes.get(each.record) ?? "exists";
      return [each, typeof part === "object" ? part : record];
    }),
  );
};

/** Writes the execution of a sub-agent together with its place in the parent's. */
const insertChild = async (
  { db }: StartDeps,
  { tenantId, agentId }: StartRequest,
  { parentId, path }: Extract<Runner, { type: "parent" }>,
  { item, record, part }: NewItems,
): Promise<InsertOutcome> => {
  try {
    if (part) await putItem(db, { Item: part.item });
    const pointer = putSubExecution(tenantId, parentId, path, { agentId, executionId: item.id });
    return await putNewExecution(db, record, pointer);
  } catch (error) {
    return { error };
  }
};

const toQueued = (
  { agentId, runner }: StartRequest,
  { item, part }: NewItems,
  { isNew, now }: { isNew: boolean; now: number },
): QueuedExecution => {
  if (!isNew || runner.type !== "worker") return { agentId, id: item.id };
  const { agent } = runner;
  return {
    agentId,
    id: item.id,
    agent: agent && { createdAt: agent.createdAt, budget: agent.budget, readAt: now },
    input: part && toCarriedInput(part.name, part.item.value),
  };
};

const build = (deps: StartDeps, { runner, ...execution }: StartRequest): Promise<NewItems> => {
  const isRunning = runner.type === "caller" || runner.type === "parent";
  const status = isRunning ? "Running" : "Queued";
  const now = deps.runtime.clock();
  const lease = leaseOf(runner, now);
  const agentCreatedAt = runner.type === "worker" ? runner.agent?.createdAt : undefined;
  return newExecution(
    deps,
    { ...execution, status },
    { lease, maxInline, ...(agentCreatedAt !== undefined && { agentCreatedAt }) },
  );
};

/** Returns the lease of a new execution from `now` on; a sub-agent's has none. */
const leaseOf = (runner: Runner, now: number): Lease | undefined => {
  const none = { owner: null, endsBy: undefined, limitMs: undefined, claims: 0, sends: 0 };
  switch (runner.type) {
    case "worker":
      return { ...none, leaseUntil: now + resendAfterMs(1), limitMs: runner.limitMs, sends: 1 };
    case "caller": {
      const endsBy = now + longestExecutionMs;
      return { ...none, owner: runner.owner, leaseUntil: now + leaseMs, endsBy, claims: 1 };
    }
    case "parent":
      return undefined;
    case "none":
      return { ...none, owner: runner.owner, leaseUntil: now + leaseMs, claims: maxClaims };
  }
};
