import type { AgentItem } from "../../agents/agent/store.ts";
import { triggerTypes } from "../../executions/schemas.ts";
import { createExecutions } from "../../executions/start/create-executions.ts";
import type { PlannedStart } from "../../executions/start/plan-start.ts";
import { planStart, withWorker } from "../../executions/start/plan-start.ts";
import { enqueueExecutions } from "../../executions/start/queue-executions.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { budgetDetail } from "../../spending/budget/check-budget.ts";
import { formatInputProblems } from "../../values/json/format-input-problems.ts";
import type { Driver, PlannedRun } from "./driver.ts";
import type { RunResult, StartedRun } from "./items.ts";
import { putResult } from "./result-store.ts";
import { runMetadata } from "./run-hooks.ts";

/**
 * Starts runs as executions on the queue, once: an existing one is not queued again. A run with an
 * input that the revision refuses gets its result immediately. Throws if one could not be started:
 * the next driver starts it again.
 */
export const startRuns = async (
  driver: Driver,
  agent: AgentItem,
  planned: readonly PlannedRun[],
): Promise<void> => {
  const { deps, place } = driver;
  const { tenantId } = place;
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  const requests: PlannedStart[] = [];
  for (const plan of planned) {
    const request = await toRequest(driver, agent, plan, processor);
    if ("refusal" in request) await refuseRun(driver, { run: plan.run, error: request.refusal });
    else requests.push(request.request);
  }
  if (requests.length === 0) return;
  const created = await createExecutions(deps, requests);
  const queued = created.flatMap((outcome) =>
    "error" in outcome || !outcome.isNew ? [] : [outcome.queued],
  );
  await enqueueExecutions(deps.send, tenantId, queued);
  for (const outcome of created) if ("error" in outcome) throw outcome.error;
};

const toRequest = async (
  { deps, config, place: { tenantId, experimentId } }: Driver,
  agent: AgentItem,
  { run, example, allowance }: PlannedRun,
  processor: ProcessorBudget,
): Promise<{ request: PlannedStart } | { refusal: string }> => {
  const revision = await deps.loadRevision(tenantId, agent, run.revision);
  if (!revision) return { refusal: `The revision ${run.revision} does not exist any more.` };
  const deployed = { agent, agentRevision: run.revision, revision };
  const request = {
    tenantId,
    executionId: run.executionId,
    trigger: { type: triggerTypes.test, id: experimentId, provider: null },
    input: example.input,
    ...(config.readsFiles && { fileReader: { usedBy: { agentId: agent.id } } }),
    metadata: {
      [runMetadata.experiment]: experimentId,
      [runMetadata.example]: run.exampleId,
      [runMetadata.repetition]: String(run.repetition),
    },
    isSample: true,
    allowance,
  };
  const plan = await planStart(deps, { deployed, request, processor, budget: "unchecked" });
  if ("errors" in plan) return { refusal: `Invalid input: ${formatInputProblems(plan.errors)}` };
  if ("blocked" in plan) return { refusal: plan.detail };
  if ("exceeded" in plan) return { refusal: budgetDetail(plan.exceeded) };
  return { request: withWorker(plan) };
};

const longestError = 2_000;

/** Writes the result of a run that has no execution: 0 from every scorer, or no score where it was cancelled. */
export const refuseRun = (
  { deps, place, config }: Driver,
  { run, error }: { run: StartedRun; error: string | null },
): Promise<void> => {
  const failed = { value: 0, passed: false, comment: "The run did not succeed.", cost: 0 };
  const scores = config.scorers.map(({ id }) => ({ scorer: id, ...failed }));
  const result: RunResult = {
    executionId: null,
    status: error === null ? "Cancelled" : "Failed",
    error: error?.slice(0, longestError).toWellFormed() ?? null,
    scores: error === null ? [] : scores,
    cost: 0,
    priced: true,
    durationMs: null,
    cut: null,
  };
  return putResult(deps.db, place, run, { result });
};
