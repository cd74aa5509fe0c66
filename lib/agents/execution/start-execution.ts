import type { TransactionWrite } from "../../platform/db/transact.ts";
import { putSubExecution } from "./checkpoint-store.ts";
import type { ExecutionDeps } from "./context.ts";
import { enqueueExecutions } from "./enqueue-executions.ts";
import type { ExecutionItem } from "./items.ts";
import { type NewExecution, newExecution } from "./new-execution.ts";
import { putOpen } from "./open-store.ts";
import { putNewExecution } from "./store.ts";
import { leaseMs, longestExecutionMs, maxClaims, resendAfterMs } from "./times.ts";

/** Dependencies of starting an execution. */
export type StartDeps = Pick<
  ExecutionDeps,
  "db" | "objects" | "sealer" | "send" | "loadRevision" | "runtime"
>;

/** The process that runs a new execution. */
export type Runner =
  /** A worker. `limitMs`: maximum duration, default the general maximum. */
  | { type: "worker"; limitMs?: number | undefined }
  /** The caller, under a lease of its own. */
  | { type: "caller"; owner: string }
  /** The parent's run, under the parent's lease; `path` is the place of the call in the parent. */
  | { type: "parent"; parentId: string; path: string }
  /** Nobody: the caller ends it immediately. After a crash, the next worker abandons it. */
  | { type: "none"; owner: string };

/** A new execution and who runs it. */
export type StartRequest = Omit<NewExecution, "status"> & { runner: Runner };

/** A written execution. `isNew` is false when an execution of that id was written before. */
export type CreatedExecution = { item: ExecutionItem; isNew: boolean };

/** Writes a new execution, and queues it if a worker runs it. */
export const startExecution = async (
  deps: StartDeps,
  request: StartRequest,
): Promise<CreatedExecution> => {
  const created = await createExecution(deps, request);
  if (created.isNew && request.runner.type === "worker") {
    await enqueueExecutions(deps.send, request.tenantId, [created.item]);
  }
  return created;
};

/**
 * Writes a new execution without queueing it. Recovery queues one that a worker runs and nobody queued, within
 * two minutes.
 */
export const createExecution = async (
  deps: StartDeps,
  { runner, ...execution }: StartRequest,
): Promise<CreatedExecution> => {
  const { tenantId, agentId } = execution;
  const isRunning = runner.type === "caller" || runner.type === "parent";
  const status = isRunning ? "Running" : "Queued";
  const { item, input } = await newExecution(deps, { ...execution, status });
  const write = holdFor(runner, { tenantId, agentId, item, now: deps.runtime.clock() });
  const outcome = await putNewExecution(deps.db, tenantId, { item, input, more: [write] });
  return { item, isNew: outcome === "written" };
};

/** Writes several new executions of one tenant without queueing them, in the order of the requests. */
export const createExecutions = (
  deps: StartDeps,
  requests: readonly StartRequest[],
): Promise<CreatedExecution[]> =>
  Promise.all(requests.map((request) => createExecution(deps, request)));

/** Builds the write that names who holds a new execution. */
const holdFor = (
  runner: Runner,
  {
    tenantId,
    agentId,
    item,
    now,
  }: Pick<NewExecution, "tenantId" | "agentId"> & {
    item: ExecutionItem;
    now: number;
  },
): TransactionWrite => {
  const child = { agentId, executionId: item.id };
  const open = { tenantId, ...child, claims: 0, sends: 0, cancelled: false };
  switch (runner.type) {
    case "worker": {
      const leaseUntil = now + resendAfterMs(1);
      return putOpen({ ...open, owner: null, leaseUntil, limitMs: runner.limitMs, sends: 1 });
    }
    case "caller": {
      const leaseUntil = item.startTime + leaseMs;
      const endsBy = item.startTime + longestExecutionMs;
      return putOpen({ ...open, owner: runner.owner, leaseUntil, endsBy });
    }
    case "parent":
      return putSubExecution(tenantId, runner.parentId, runner.path, child);
    case "none":
      return putOpen({
        ...open,
        owner: runner.owner,
        leaseUntil: now + leaseMs,
        claims: maxClaims,
      });
  }
};
