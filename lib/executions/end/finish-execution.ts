import { isInSample } from "../../agents/agent/online-evaluation.ts";
import type { FlowError, FlowResult } from "../../engine/flow/flow-result.ts";
import type { Audience } from "../../notifications/destination/find-audience.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { publishThresholds } from "../../spending/budget/cross-thresholds.ts";
import { toMonth } from "../../spending/budget/month.ts";
import { countCost } from "../../spending/usage/count-usage.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInText, maskInTrace, maskInValue } from "../job/masks.ts";
import { removeExecution } from "../purge/purge-executions.ts";
import { toExecutionKey } from "../record/keys.ts";
import type { EvaluateExecutionMessage } from "../record/messages.ts";
import {
  type RunOutcome,
  type TreeCost,
  toExecutionError,
  toTraceSpan,
  toTreeMembers,
} from "../record/results.ts";
import type { ExecutionStatus } from "../record/schemas.ts";
import { getExecution } from "../record/store.ts";
import { type EndPlan, endEvents, endExecution, isTraceEvent } from "./end-execution.ts";

/** The result of a flow that was not interrupted. */
type FinalResult = FlowResult & {
  status: Exclude<FlowResult["status"], "Interrupted">;
  /** Of the executions of sub-agents below it. */
  subAgentsCost: TreeCost;
};

/** A run that ended its execution. */
type FinishedRun = {
  job: Job;
  result: FinalResult;
  /** US dollars reserved by it. */
  reserved: number;
  /** The execution's subscribers, where they were looked up during the run. */
  audience?: Promise<Audience | undefined> | undefined;
};

/**
 * Records the end of an execution, counts its usage and releases its reservation, exactly once among
 * concurrent callers. A cancelled execution stays cancelled, but its usage is counted. Undefined when another
 * run holds it or it was deleted.
 */
export const finishExecution = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "send">,
  input: FinishedRun,
): Promise<RunOutcome | undefined> => {
  const { job, reserved, audience } = input;
  const { db } = deps;
  const { tenantId, item } = job;
  const result = refuseLargeOutput(hideSecretsIn(job, input.result));
  const withoutEvents = planEnd(deps, job, result, reserved);
  const { clock } = deps.runtime;
  const events = await endEvents({ db, clock }, { tenantId, ended: withoutEvents, audience });
  const ended = { ...withoutEvents, events };
  const key = toExecutionKey(item);
  await requestEvaluation(deps, job, result.status);
  const isFinished =
    result.status !== "Cancelled" || job.owner === null
      ? (await endExecution(deps, ended, "open")) === "written"
      : false;
  const isSettled =
    isFinished ||
    (await endExecution(
      deps,
      { ...planEnd(deps, job, cancelled(result), reserved), events },
      "cancelled",
    )) === "written";
  if (!isSettled) {
    const stored = await getExecution(db, tenantId, item.agentId, item.id);
    if (!stored) await removeExecution(deps, key);
    if (!stored || stored.item.reserved === reserved) return undefined;
    return finishExecution(deps, { ...input, reserved: stored.item.reserved });
  }
  const published = isFinished ? events : events.filter(isTraceEvent);
  await Promise.all(published.map((event) => enqueueEvent(deps.send, event)));
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
  { status, output, error, usage, spans, subAgentsCost }: FinalResult,
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
      ...toTreeMembers({ cost: counted.cost.totalCost, priced: counted.priced }, subAgentsCost),
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
const requestEvaluation = async (
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
