import { createHash } from "node:crypto";
import { toPolicyInput } from "../../agents/job-policy/check-policy-inputs.ts";
import type { JobPolicy } from "../../agents/job-policy/job-policy.ts";
import type { RunScheduleMessage } from "../../agents/messages.ts";
import {
  type Deployed,
  loadDeployed,
  missingDetails,
} from "../../agents/revision/load-deployed.ts";
import { planTimes, scheduleName } from "../../agents/schedule/plan-schedules.ts";
import { type SyncSchedulesDeps, syncSchedules } from "../../agents/schedule/sync-schedules.ts";
import type { FlowError } from "../../engine/flow/flow-result.ts";
import type { Blocked } from "../../engine/step-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { budgetDetail } from "../../spending/budget/check-budget.ts";
import { formatInputProblems } from "../../values/json/format-input-problems.ts";
import { finishExecution } from "../end/end-execution.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { noTreeCost } from "../record/results.ts";
import { triggerTypes } from "../schemas.ts";
import { SessionRefused } from "../session/occupy-session.ts";
import {
  planStart,
  type StartPlan,
  type StartRequest,
  toStart,
  toTriggeredSession,
  withWorker,
  writtenAtEnd,
} from "./plan-start.ts";
import { prepareItems, type StartDeps, startExecution } from "./start-execution.ts";

/** A request of a schedule, a webhook event or a chat message to start a deployed revision. */
type TriggeredRequest = {
  deployed: Deployed;
  request: StartRequest;
  /** Processor budget of the input checks; default: that of a delivery. */
  processor?: ProcessorBudget;
};

/**
 * Starts a triggered execution on the queue, once per `executionId`. Returns why it was refused permanently, undefined for
 * one that was started; throws storage failures.
 */
export const startTriggered = async (
  deps: StartDeps,
  input: TriggeredRequest,
): Promise<TriggerRefusal | undefined> => {
  const plan = await planTriggered(deps, input);
  if ("refusal" in plan) return plan.refusal;
  return startExecution(deps, withWorker(plan)).then(() => undefined, toSessionRefusal);
};

/** Returns the refusal of a session, for a failed start; throws other failures. */
export const toSessionRefusal = (error: unknown): TriggerRefusal => {
  if (!(error instanceof SessionRefused)) throw error;
  return { slug: "execution-failed", detail: error.message };
};

/** Plans a triggered execution; returns why it is refused permanently. */
export const planTriggered = async (
  deps: StartDeps,
  { deployed, request, processor }: TriggeredRequest,
): Promise<StartPlan | { refusal: TriggerRefusal }> => {
  const budget = processor ?? new ProcessorBudget(request.tenantId, processorLimits.deliveryMs);
  const plan = await planStart(deps, { deployed, request, processor: budget });
  if ("errors" in plan) {
    const detail = `Invalid input: ${formatInputProblems(plan.errors)}`.slice(0, 1_000);
    return { refusal: { slug: "execution-failed", detail } };
  }
  if ("blocked" in plan) {
    const { blocked, detail } = plan;
    return { refusal: { slug: "guardrail-blocked", detail, blocked } };
  }
  if ("exceeded" in plan) {
    return { refusal: { slug: "budget-exceeded", detail: budgetDetail(plan.exceeded) } };
  }
  return plan;
};

/** Why a deployed revision refuses an execution. */
type TriggerRefusal = {
  slug: "execution-failed" | "budget-exceeded" | "guardrail-blocked";
  detail: string;
  blocked?: Blocked;
};

/** Dependencies of recording a refused execution. */
export type RefusalDeps = StartDeps & Pick<ExecutionDeps, "endHooks">;

/**
 * Records a refused execution as failed, so that its owner sees it and is notified. Once per `executionId`: false when there is
 * an execution of that id. Its input is not stored.
 */
export const recordRefusal = async (
  deps: RefusalDeps,
  {
    deployed,
    cause,
    refusal,
  }: {
    deployed: Deployed;
    cause: Pick<StartRequest, "tenantId" | "executionId" | "trigger">;
    refusal: TriggerRefusal;
  },
): Promise<boolean> => {
  const { tenantId, executionId: owner } = cause;
  const start = toStart(deployed, { ...cause, input: {} }, {});
  const request = writtenAtEnd({ start, deployed });
  const { item, record: unwritten } = await prepareItems(deps, request);
  const unchecked = { isUnchecked: false, isGuarded: false };
  const job = {
    tenantId,
    ...deployed,
    item,
    values: {},
    ...unchecked,
    owner,
    endsBy: 0,
    unwritten,
  };
  const error: FlowError = { ...refusal, step: null };
  const result = {
    status: "Failed",
    output: null,
    error,
    usage: [],
    spans: [],
  } as const;
  const run = { job, result, subAgentsCost: noTreeCost, reserved: 0 };
  return (await finishExecution(deps, run)) !== undefined;
};

/**
 * Starts the execution that a policy is due for, once per scheduled time, with the revision deployed by then.
 * When that revision has no such policy, or another timing, starts nothing and synchronizes the schedules. A
 * refused execution is recorded as failed and not retried; storage failures are thrown.
 */
export const startScheduled = async (
  deps: RefusalDeps & SyncSchedulesDeps,
  message: RunScheduleMessage,
): Promise<void> => {
  const { tenantId, agentId, policyId } = message;
  const logRefused = (reason: string) =>
    log("scheduled-run-not-started", { tenantId, agentId, policyId, reason });
  const loaded = await loadDeployed(deps, { tenantId, agentId });
  const policy = "missing" in loaded ? undefined : findDuePolicy(loaded, message);
  if ("missing" in loaded || !policy) {
    logRefused(
      "missing" in loaded ? missingDetails[loaded.missing] : "The policy is not deployed.",
    );
    await syncSchedules(deps, { tenantId, agentId, stray: scheduleName(message) });
    return;
  }
  const cause = {
    tenantId,
    executionId: deriveExecutionId(message),
    trigger: { type: triggerTypes.schedule, id: policyId, provider: null },
  };
  const request = {
    ...cause,
    input: toPolicyInput(policy, loaded.revision.content.parametersMetadata),
    limitMs: policy.timeout === null ? undefined : policy.timeout * 1_000,
    session: toTriggeredSession(policy.session),
  };
  const refusal = await startTriggered(deps, { deployed: loaded, request });
  if (!refusal) return;
  logRefused(refusal.detail);
  await recordRefusal(deps, { deployed: loaded, cause, refusal });
};

const findDuePolicy = (
  { revision }: Deployed,
  message: RunScheduleMessage,
): JobPolicy | undefined =>
  revision.content.jobPolicyConfigs.find(
    (policy) => policy.id === message.policyId && isDueAt(policy, message),
  );

const isDueAt = (policy: JobPolicy, { expression, timeZone }: RunScheduleMessage): boolean => {
  const times = planTimes(policy);
  return times?.expression === expression && times.timeZone === timeZone;
};

/**
 * Derives the execution's id from policy and time, independent of the revision: a policy runs once per time.
 */
const deriveExecutionId = ({
  tenantId,
  agentId,
  policyId,
  scheduledTime,
}: RunScheduleMessage): string => {
  const time = Date.parse(scheduledTime);
  const digest = createHash("sha256").update(`${tenantId}/${agentId}/${policyId}/${time}`).digest();
  return uuidAt(time, digest);
};
