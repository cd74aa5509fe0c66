import { isInSample } from "../../agents/agent/online-evaluation.ts";
import type { FlowError, FlowResult } from "../../engine/flow/flow-result.ts";
import type { Audience } from "../../notifications/destination/find-audience.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { publishThresholds } from "../../spending/budget/cross-thresholds.ts";
import { toMonth } from "../../spending/budget/month.ts";
import { endExecution } from "../end/end-execution.ts";
import {
  countCost,
  type EvaluateExecutionMessage,
  type ExecutionDeps,
  type ExecutionStatus,
  getExecution,
  type Job,
  jobSecrets,
  maskInText,
  maskInTrace,
  maskInValue,
  type RunOutcome,
  removeExecution,
  type TreeCost,
  toExecutionError,
  toExecutionKey,
  toTraceSpan,
  toTreeMembers,
} from "../record/execution-record.ts";
import { buildEndWrites, type EndPlan, endEvents } from "./end-writes.ts";

export type { EndPlan } from "./end-writes.ts";
export { endEvents, isPublished } from "./end-writes.ts";

/** The result of a flow that was not interrupted. */
type FinalResult = FlowResult & {
  status: Exclude<FlowResult["status"], "Interrupted">;
  /** Of the executions of sub-agents below it. */
  costOfSubAgents: TreeCost;
};

/** The reservation and the audience of a run that finishes. */
type RunReservation = {
  /** US dollars reserved by it. */
  reserved: number;
  /** The execution's subscribers, where they were looked up during the run. */
  audience?: Promise<Audience | undefined> | undefined;
};

/** Ends an execution with the writes of usage, budget and events. */
export const endWithWrites = (
  deps: Pick<ExecutionDeps, "db" | "objects">,
  plan: EndPlan,
  from: "open" | "cancelled",
): Promise<"written" | "not-open"> => {
  const { item, outcome, reserved, owner } = plan;
  // A cancelled execution is counted as such, and not published.
  const counted =
    from === "open"
      ? plan
      : { ...plan, item: { ...item, status: "Cancelled" as const }, events: [] };
  const writes = buildEndWrites(counted);
  return endExecution(deps, { item, outcome, reserved, owner, writes }, from);
};

/**
 * Records the end of an execution, counts its usage and releases its reservation, exactly once among
 * concurrent callers. A cancelled execution stays cancelled, but its usage is counted. Undefined when another
 * run holds it or it was deleted.
 */
export const finishExecution = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "send">,
  job: Job,
  flowResult: FinalResult,
  { reserved, audience }: RunReservation,
): Promise<RunOutcome | undefined> => {
  const { db } = deps;
  const { tenantId, item } = job;
  const result = refuseLargeOutput(hideSecretsIn(job, flowResult));
  const withoutEvents = planEnd(deps, job, result, reserved);
  const { clock } = deps.runtime;
  const events = await endEvents({ db, clock }, tenantId, withoutEvents, audience);
  const ended = { ...withoutEvents, events };
  const place = toExecutionKey(item);
  await requestEvaluation(deps, job, result.status);
  const isFinished =
    result.status !== "Cancelled" || job.owner === null
      ? (await endWithWrites(deps, ended, "open")) === "written"
      : false;
  const isSettled =
    isFinished ||
    (await endWithWrites(deps, planEnd(deps, job, cancelled(result), reserved), "cancelled")) ===
      "written";
  if (!isSettled) {
    const stored = await getExecution(db, tenantId, item.agentId, item.id);
    if (!stored) await removeExecution(deps, place);
    if (!stored || stored.item.reserved === reserved) return undefined;
    return finishExecution(deps, job, flowResult, { reserved: stored.item.reserved, audience });
  }
  if (isFinished) await Promise.all(events.map((event) => enqueueEvent(deps.send, event)));
  const { agent } = job;
  if (agent.budget && ended.usage.cost.totalCost > 0) {
    await publishThresholds({ ...deps, clock }, tenantId, agent, toMonth(item.startTime));
  }
  return {
    item: isFinished ? ended.item : { ...ended.item, status: "Cancelled" },
    output: isFinished ? result.output : null,
    error: isFinished ? result.error : null,
    trace: ended.outcome.trace,
  };
};

const cancelled = (result: FinalResult): FinalResult => ({
  ...result,
  status: "Cancelled",
  output: null,
  error: null,
});

const planEnd = (
  { runtime }: Pick<ExecutionDeps, "runtime">,
  { tenantId, agent, item, owner }: Job,
  { status, output, error, usage, spans, costOfSubAgents }: FinalResult,
  reserved: number,
): EndPlan => {
  const counted = countCost(usage);
  return {
    tenantId,
    item: {
      ...item,
      status,
      errorType: error?.slug ?? null,
      endTime: runtime.clock(),
      hasResult: status === "Succeeded",
      hasTrace: true,
      ...counted.tokens,
      ...counted.cost,
      priced: counted.priced,
      ...toTreeMembers({ cost: counted.cost.totalCost, priced: counted.priced }, costOfSubAgents),
    },
    outcome: {
      output,
      error: error && toExecutionError(error),
      trace: spans.map(toTraceSpan),
    },
    usage: counted,
    reserved,
    budgetAmount: agent.budget?.amount ?? null,
    owner,
    events: [],
  };
};

const refuseLargeOutput = (result: FinalResult): FinalResult => {
  const bytes = responseBytes(result.output);
  if (bytes <= maxResponseBytes) return result;
  const detail = `The output has ${bytes} bytes; an answer takes at most ${maxResponseBytes}.`;
  const error: FlowError = { slug: "execution-failed", detail, step: null };
  return { ...result, status: "Failed", output: null, error };
};

const hideSecretsIn = (job: Job, result: FinalResult): FinalResult => {
  const { inTraces, inOutputs } = jobSecrets(job);
  if (inTraces.length === 0) return result;
  const { error } = result;
  return {
    ...result,
    output: maskInValue(result.output, inOutputs),
    spans: maskInTrace(result.spans, inTraces),
    error: error && { ...error, detail: maskInText(error.detail, inTraces) },
  };
};

/** The end is recorded right after the message was sent. */
const delaySeconds = 2;

/**
 * Asks for a succeeded execution to be scored, if its agent has an online evaluation and it is in the sample. Sent before
 * the end is recorded, so that a crash between the two loses nothing: an execution that has not ended is scored later.
 * Never throws.
 */
export const requestEvaluation = async (
  { send }: Pick<ExecutionDeps, "send">,
  { tenantId, agent, item }: Pick<Job, "tenantId" | "agent" | "item">,
  status: ExecutionStatus,
): Promise<void> => {
  const { onlineEvaluation } = agent;
  if (!onlineEvaluation || item.isSample || status !== "Succeeded") return;
  if (!isInSample(item.id, onlineEvaluation)) return;
  const { agentId, id: executionId } = item;
  const message: EvaluateExecutionMessage = {
    type: "evaluate-execution",
    tenantId,
    agentId,
    executionId,
  };
  try {
    await send("evaluations", tenantId, message, delaySeconds);
  } catch (error) {
    log("execution-not-scored", { executionId, error: asError(error) });
  }
};
