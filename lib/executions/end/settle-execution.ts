import { hideContent } from "../../engine/flow/child-spans.ts";
import type { FlowResult, Span, StepOutcome } from "../../engine/flow/flow-result.ts";
import { sumUsage } from "../../engine/flow/sum-usage.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { cancelApprovals } from "../approvals/cancel-approvals.ts";
import { listSubExecutions, readProgress } from "../checkpoints/checkpoint-store.ts";
import { removeEventWait } from "../checkpoints/event-wait-store.ts";
import { listWaits, type StoredWait } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { loadJob } from "../job/load-job.ts";
import { isOpen, ListedExecution } from "../record/execution-record.ts";
import { type ExecutionKey, executionKey, toExecutionKey } from "../record/keys.ts";
import {
  addTreeCosts,
  noTreeCost,
  type RunOutcome,
  readTreeCost,
  type TreeCost,
  toTreeMembers,
} from "../record/results.ts";
import { getExecution, putCostWithSubAgents } from "../record/store.ts";
import { finishExecution } from "./end-execution.ts";

/** Builds the result of a cancelled run from its finished steps. */
const cancelledRun = (
  steps: ReadonlyMap<string, StepOutcome>,
): FlowResult & { status: "Cancelled" } => {
  const spans = [...steps.values()].flatMap((step) => step.spans);
  const usage = sumUsage(spans);
  return { status: "Cancelled", output: null, error: null, usage, spans };
};

/** Ends an abandoned execution as cancelled and counts its usage. */
export const cancelJob = async (deps: ExecutionDeps, job: Job): Promise<RunOutcome | undefined> => {
  const { item } = job;
  const key = toExecutionKey(item);
  const progress = await readProgress(deps, key, deps.runtime.clock());
  const open = [...progress.waits.values()].filter(({ path }) => !progress.answers.has(path));
  await closeWaits(deps, { key, open });
  const { reserved } = item;
  const cancelled = cancelledRun(progress.completed);
  // Guardrails have not checked what its steps have done.
  const hide = (span: Span) => hideContent(span, "The execution was cancelled.");
  const spans = job.isGuarded ? cancelled.spans.map(hide) : cancelled.spans;
  const result = { ...cancelled, spans };
  const subAgentsCost = noTreeCost;
  const finished = await finishExecution(deps, { job, result, subAgentsCost, reserved });
  if (!finished || job.revision.flow.agentIds.length === 0) return finished;
  return settleSubAgents(deps, { job, outcome: finished });
};

/**
 * Cleans up after an execution with several runs: cancels sub-agents' executions that the last run did not
 * resume, and counts cancelled ones that were not counted. Returns its outcome with the cost of them all, and corrects
 * the cost on the record if they ended after it.
 */
export const settleSubAgents = async (
  deps: ExecutionDeps,
  {
    job: { tenantId, item, endsBy },
    outcome,
  }: { job: Pick<Job, "tenantId" | "item" | "endsBy">; outcome: RunOutcome },
): Promise<RunOutcome> => {
  const treeCost = readTreeCost(outcome.item);
  let total: TreeCost = { cost: outcome.item.totalCost, priced: outcome.item.priced };
  for (const child of await listSubExecutions(deps.db, tenantId, item.id)) {
    const loaded = await loadJob(deps, { tenantId, ...child, leaseTerms: { owner: null, endsBy } });
    if (!loaded) continue;
    const ended = isOpen(loaded.job.item) ? await cancelJob(deps, loaded.job) : undefined;
    total = addTreeCosts(total, readTreeCost(ended?.item ?? loaded.job.item));
  }
  const most = {
    cost: Math.max(total.cost, treeCost.cost),
    priced: total.priced && treeCost.priced,
  };
  const isComplete = most.cost === treeCost.cost && most.priced === treeCost.priced;
  if (!isComplete) await putCostWithSubAgents(deps.db, toExecutionKey(item), most);
  return { ...outcome, item: { ...outcome.item, ...toTreeMembers(most, noTreeCost) } };
};

/**
 * Finishes what a crash left after the end of an execution: open waits and sub-agents. Does nothing for an open one. Returns
 * whether it has ended, or does not exist.
 */
export const settleEnded = async (deps: ExecutionDeps, key: ExecutionKey): Promise<boolean> => {
  const { tenantId, agentId, executionId } = key;
  const stored = await getExecution(deps.db, tenantId, agentId, executionId);
  if (!stored || isOpen(stored.item)) return !stored;
  const { item } = stored;
  await closeWaits(deps, { key, open: await listWaits(deps.db, key) });
  const job = { tenantId, item, endsBy: deps.runtime.clock() };
  await settleSubAgents(deps, { job, outcome: { item, output: null, error: null, trace: [] } });
  return true;
};

/**
 * Returns the cost of an execution's sub-agents with those below them. The run knows those that
 * ended in it; storage is read only for those of earlier runs, and only if the flow has sub-agents.
 * @param input `known`: cost by execution id
 */
export const sumSubAgents = async (
  { db }: Pick<ExecutionDeps, "db">,
  {
    job: { tenantId, item, revision },
    known,
    hasEarlierRuns,
  }: {
    job: Pick<Job, "tenantId" | "item" | "revision">;
    known: ReadonlyMap<string, TreeCost>;
    hasEarlierRuns: boolean;
  },
): Promise<TreeCost> => {
  const inThisRun = known.values().reduce(addTreeCosts, noTreeCost);
  if (!hasEarlierRuns || revision.flow.agentIds.length === 0) return inThisRun;
  const children = await listSubExecutions(db, tenantId, item.id);
  const keys = children
    .filter(({ executionId }) => !known.has(executionId))
    .map((child) => executionKey({ tenantId, ...child }));
  const others = await getItems(db, keys, ListedExecution);
  return others.reduce(
    (sum, other) => (other ? addTreeCosts(sum, readTreeCost(other)) : sum),
    inThisRun,
  );
};

/** Cancels the approvals, and removes the registrations of waits for events, of the open waits of an ended execution. */
export const closeWaits = async (
  deps: Pick<ExecutionDeps, "db" | "runtime" | "send">,
  { key: { tenantId, executionId }, open }: { key: ExecutionKey; open: readonly StoredWait[] },
): Promise<void> => {
  const approvalIds = open.flatMap(({ approvalId }) => approvalId ?? []);
  await cancelApprovals(deps, { tenantId, approvalIds, now: deps.runtime.clock() });
  await Promise.all(
    open.map(async ({ path, webhookId }) => {
      if (webhookId) await removeEventWait(deps.db, tenantId, { webhookId, executionId, path });
    }),
  );
};
