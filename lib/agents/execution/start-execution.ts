import { putTogether } from "../../platform/db/put-together.ts";
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
 * Compressed bytes of input that a record may have. Each write of the record pays for them, an item of their own
 * is written once, but takes another call: one for all executions that are created together.
 */
const maxInline = { alone: 1_500, together: 500 };

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

/**
 * Writes new executions of one tenant without queueing them, each by itself: returns for each request, in order,
 * the execution or why it could not be written. Recovery queues those that a worker runs and nobody queued,
 * within two minutes.
 */
export const createExecutions = async (
  deps: StartDeps,
  requests: readonly StartRequest[],
): Promise<(CreatedExecution | { error: unknown })[]> => {
  const now = deps.runtime.clock();
  const room = requests.length > 1 ? maxInline.together : maxInline.alone;
  const built = await Promise.allSettled(requests.map((request) => build(deps, request, room)));
  const parts = built.flatMap((each) =>
    each.status === "fulfilled" && each.value.part ? [each.value.part.item] : [],
  );
  const written = parts.length > 0 ? putTogether(deps.db, parts) : undefined;
  const created = await Promise.allSettled(
    requests.map(async (request, at): Promise<CreatedExecution> => {
      const items = built[at];
      if (items?.status !== "fulfilled") throw items?.reason;
      if (items.value.part) await written;
      const isNew = (await write(deps, request, items.value)) === "written";
      const queued = toQueued(request, items.value, { isNew, now });
      return { item: items.value.item, isNew, queued };
    }),
  );
  return created.map((each) => (each.status === "fulfilled" ? each.value : { error: each.reason }));
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

const build = (
  deps: StartDeps,
  { runner, ...execution }: StartRequest,
  room: number,
): Promise<NewItems> => {
  const isRunning = runner.type === "caller" || runner.type === "parent";
  const status = isRunning ? "Running" : "Queued";
  const now = deps.runtime.clock();
  const lease = leaseOf(runner, now);
  const agentCreatedAt = runner.type === "worker" ? runner.agent?.createdAt : undefined;
  return newExecution(
    deps,
    { ...execution, status },
    { lease, maxInline: room, ...(agentCreatedAt !== undefined && { agentCreatedAt }) },
  );
};

const write = (
  { db }: StartDeps,
  { tenantId, agentId, runner }: StartRequest,
  { item, record }: NewItems,
): Promise<"written" | "exists"> => {
  if (runner.type !== "parent") return putNewExecution(db, record);
  const child = { agentId, executionId: item.id };
  const pointer = putSubExecution(tenantId, runner.parentId, runner.path, child);
  return putNewExecution(db, record, pointer);
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
