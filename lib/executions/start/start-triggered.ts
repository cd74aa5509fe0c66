import type { Deployed } from "../../agents/revision/load-deployed.ts";
import type { FlowError } from "../../engine/flow/flow-result.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { budgetDetail } from "../../spending/budget/check-budget.ts";
import type { JsonObject } from "../../values/json/json.ts";
import { finishExecution } from "../finish/finish-execution.ts";
import { noTreeCost } from "../record/execution-record.ts";
import { inputDetail, type PlannedStart, planStart, type StartRequest } from "./plan-start.ts";
import { type StartDeps, startExecution } from "./start-execution.ts";

/** A request of a schedule, a webhook event or a chat message. */
export type Triggered = StartRequest & {
  /** Maximum duration in milliseconds; undefined for the general maximum. */
  limitMs?: number | undefined;
  /** Processor budget of the input checks; default: that of a delivery. */
  processor?: ProcessorBudget;
};

/** The execution to start and its checked inputs, or why it was refused permanently. */
export type TriggeredPlan = { start: PlannedStart; values: JsonObject } | { refusal: Refusal };

/** The started execution, or why it was refused permanently. */
export type StartOutcome = { executionId: string } | { refusal: Refusal };

/**
 * Starts an execution of an agent's deployed revision on the queue, once per `executionId`. Returns refusals;
 * throws storage failures.
 */
export const startTriggered = async (
  deps: StartDeps,
  deployed: Deployed,
  triggered: Triggered,
): Promise<StartOutcome> => {
  const plan = await planTriggered(deps, deployed, triggered);
  if ("refusal" in plan) return plan;
  await startExecution(deps, plan.start);
  return { executionId: triggered.executionId };
};

/**
 * Plans a triggered execution that a worker runs: for a starter that creates several executions and then queues them
 * together.
 */
export const planTriggered = async (
  deps: StartDeps,
  deployed: Deployed,
  { limitMs, processor: given, ...request }: Triggered,
): Promise<TriggeredPlan> => {
  const processor = given ?? new ProcessorBudget(request.tenantId, processorLimits.deliveryMs);
  const plan = await planStart(deps, deployed, request, processor);
  if ("errors" in plan) {
    const detail = `Invalid input: ${inputDetail(plan.errors)}`.slice(0, 1_000);
    return { refusal: { slug: "execution-failed", detail } };
  }
  if ("exceeded" in plan) {
    return { refusal: { slug: "budget-exceeded", detail: budgetDetail(plan.exceeded) } };
  }
  const runner = { type: "worker" as const, limitMs, agent: deployed.agent };
  return { start: { ...plan.start, runner }, values: plan.values };
};

/** Why a deployed revision refuses an execution. */
export type Refusal = { slug: "execution-failed" | "budget-exceeded"; detail: string };

/**
 * Records a refused execution as failed, so that its owner sees it and is notified. Once per `executionId`.
 * Its input is not stored.
 */
export const recordRefusal = async (
  deps: StartDeps,
  deployed: Deployed,
  cause: Pick<StartRequest, "tenantId" | "executionId" | "trigger">,
  refusal: Refusal,
): Promise<void> => {
  const { tenantId, executionId, trigger } = cause;
  const owner = executionId;
  const { item, isNew } = await startExecution(deps, {
    id: executionId,
    agentId: deployed.agent.id,
    tenantId,
    agentRevision: deployed.agentRevision,
    parametersMetadata: [],
    trigger,
    input: {},
    metadata: {},
    isSample: false,
    runner: { type: "none", owner },
  });
  if (!isNew) return;
  const job = { tenantId, ...deployed, item, values: {}, owner, endsBy: 0 };
  const error: FlowError = { ...refusal, step: null };
  const end = {
    status: "Failed",
    output: null,
    error,
    usage: [],
    spans: [],
    costOfSubAgents: noTreeCost,
  } as const;
  await finishExecution(deps, job, end, { reserved: 0 });
};
