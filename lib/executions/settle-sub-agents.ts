import type { FlowResult, StepOutcome } from "../engine/flow/flow-result.ts";
import { sumUsage } from "../engine/flow/sum-usage.ts";
import { listSteps, listSubExecutions } from "./checkpoint-store.ts";
import type { ExecutionDeps } from "./context.ts";
import { putCostWithSubAgents } from "./end-store.ts";
import { type Finished, finishExecution } from "./finish-execution.ts";
import { isOpen } from "./items.ts";
import type { Job } from "./job.ts";
import { loadJob } from "./load-job.ts";
import { toExecutionKey } from "./read-execution.ts";
import { addTreeCosts, noTreeCost, readTreeCost, type TreeCost } from "./tree-cost.ts";

/** Builds the result of a cancelled run from its finished steps. */
const cancelledRun = (
  steps: ReadonlyMap<string, StepOutcome>,
): FlowResult & { status: "Cancelled"; costOfSubAgents: TreeCost } => {
  const spans = [...steps.values()].flatMap((step) => step.spans);
  const usage = sumUsage(spans);
  return {
    status: "Cancelled",
    output: null,
    error: null,
    usage,
    spans,
    costOfSubAgents: noTreeCost,
  };
};

/** Ends an abandoned execution as cancelled and counts its usage. */
export const cancelJob = async (deps: ExecutionDeps, job: Job): Promise<Finished | undefined> => {
  const { item } = job;
  const steps = await listSteps(deps, toExecutionKey(item));
  const { reserved } = item;
  const finished = await finishExecution(deps, job, cancelledRun(steps), { reserved });
  if (!finished || job.revision.flow.agentIds.length === 0) return finished;
  return { ...finished, treeCost: await settleSubAgents(deps, job, finished) };
};

/**
 * Cleans up after an execution with several runs: cancels sub-agents' executions that the last run did not
 * resume, and counts cancelled ones that were not counted. Returns its cost with them all, and corrects it on the
 * record if they ended after it.
 */
export const settleSubAgents = async (
  deps: ExecutionDeps,
  { tenantId, item, endsBy }: Job,
  { result, treeCost }: Finished,
): Promise<TreeCost> => {
  let total: TreeCost = { cost: result.cost.totalCost, priced: result.priced };
  for (const child of await listSubExecutions(deps.db, tenantId, item.id)) {
    const loaded = await loadJob(deps, tenantId, child, { owner: null, endsBy });
    if (!loaded) continue;
    const ended = isOpen(loaded.job.item) ? await cancelJob(deps, loaded.job) : undefined;
    total = addTreeCosts(total, ended?.treeCost ?? readTreeCost(loaded.job.item));
  }
  const most = {
    cost: Math.max(total.cost, treeCost.cost),
    priced: total.priced && treeCost.priced,
  };
  const isComplete = most.cost === treeCost.cost && most.priced === treeCost.priced;
  if (!isComplete) await putCostWithSubAgents(deps.db, item, most);
  return most;
};
