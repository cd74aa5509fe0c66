import type { Deployed } from "../../agents/revision/load-deployed.ts";
import type { ConversationMessage } from "../../engine/flow/conversation-message.ts";
import type { FlowError } from "../../engine/flow/flow-result.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { budgetDetail } from "../../spending/budget/check-budget.ts";
import type { JsonObject } from "../../values/json/json.ts";
import { finishExecution } from "../finish/finish-execution.ts";
import { noTreeCost, type Trigger } from "../record/execution-record.ts";
import { checkStart, inputDetail } from "./check-start.ts";
import { type StartDeps, type StartRequest, startExecution } from "./start-execution.ts";

/** An execution started by a schedule, a webhook event or a chat message. */
export type Triggered = {
  tenantId: TenantId;
  /** Derived from the cause, so that a repeated message starts one execution. */
  executionId: string;
  trigger: Trigger;
  input: Readonly<Record<string, unknown>>;
  /** Earlier messages of the conversation, oldest first. */
  session?: readonly ConversationMessage[] | undefined;
  /** Maximum duration in milliseconds; undefined for the general maximum. */
  limitMs?: number | undefined;
  /** Processor budget of the input checks; default: that of a delivery. */
  processor?: ProcessorBudget;
};

/** The request to start an execution and its checked inputs, or why it was refused permanently. */
export type TriggeredCheck = { request: StartRequest; values: JsonObject } | { refusal: Refusal };

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
  const check = await checkTriggered(deps, deployed, triggered);
  if ("refusal" in check) return check;
  await startExecution(deps, check.request);
  return { executionId: triggered.executionId };
};

/**
 * Checks the input and budget of a triggered execution, and builds the request that starts it on the queue:
 * for a starter that creates several executions and then queues them together.
 */
export const checkTriggered = async (
  deps: StartDeps,
  deployed: Deployed,
  { tenantId, executionId, trigger, input, session, limitMs, ...more }: Triggered,
): Promise<TriggeredCheck> => {
  const { processor = new ProcessorBudget(tenantId, processorLimits.deliveryMs) } = more;
  const check = await checkStart(deps, tenantId, deployed, { input, processor });
  if ("errors" in check) {
    const detail = `Invalid input: ${inputDetail(check.errors)}`.slice(0, 1_000);
    return { refusal: { slug: "execution-failed", detail } };
  }
  if ("exceeded" in check) {
    return { refusal: { slug: "budget-exceeded", detail: budgetDetail(check.exceeded) } };
  }
  return {
    values: check.values,
    request: {
      id: executionId,
      agentId: deployed.agent.id,
      tenantId,
      agentRevision: deployed.agentRevision,
      parametersMetadata: deployed.revision.content.parametersMetadata,
      trigger,
      input,
      metadata: {},
      session,
      isSample: false,
      runner: { type: "worker", limitMs, agent: deployed.agent },
    },
  };
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
  cause: { tenantId: TenantId; executionId: string; trigger: Trigger },
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
