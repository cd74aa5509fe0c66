import type { FlowError, FlowResult } from "../engine/flow/flow-result.ts";
import type { Audience } from "../notifications/destination/find-audience.ts";
import { maxResponseBytes, responseBytes } from "../platform/http/response-size.ts";
import { enqueueEvent } from "../platform/outbox/enqueue-event.ts";
import { toMonth } from "../spending/budget/month.ts";
import { publishThresholds } from "../spending/budget/publish-thresholds.ts";
import type { Json } from "../values/json/json.ts";
import type { ExecutionDeps } from "./context.ts";
import { countCost } from "./cost.ts";
import { endEvents } from "./end-events.ts";
import {
  type EndedExecution,
  putFinishedExecution,
  settleCancelledExecution,
} from "./end-store.ts";
import { toExecutionError, toTraceSpan } from "./error.ts";
import type { ExecutionItem } from "./items.ts";
import type { Job } from "./job.ts";
import { jobSecrets } from "./job-secrets.ts";
import { maskInText, maskInTrace, maskInValue } from "./mask-in-trace.ts";
import { removeExecution } from "./purge-executions.ts";
import { toExecutionKey } from "./read-execution.ts";
import { requestEvaluation } from "./request-evaluation.ts";
import type { ExecutionResult } from "./schemas.ts";
import { getExecution } from "./store.ts";
import { readTreeCost, type TreeCost, toTreeMembers } from "./tree-cost.ts";

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

/** The recorded end of an execution. */
export type Finished = {
  result: ExecutionResult;
  output: Json;
  error: FlowError | null;
  /** With its sub-agents. */
  treeCost: TreeCost;
  /** Its record, but for the status of a cancelled one. */
  item: ExecutionItem;
  trace: readonly unknown[];
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
): Promise<Finished | undefined> => {
  const { db } = deps;
  const { tenantId, item } = job;
  const result = refuseLargeOutput(hideSecretsIn(job, flowResult));
  const withoutEvents = toEnded(deps, job, result, reserved);
  const { clock } = deps.runtime;
  const events = await endEvents({ db, clock }, tenantId, withoutEvents, audience);
  const ended = { ...withoutEvents, events };
  const place = toExecutionKey(item);
  await requestEvaluation(deps, job, result.status);
  const isFinished =
    result.status !== "Cancelled" || job.owner === null
      ? (await putFinishedExecution(deps, tenantId, ended)) === "written"
      : false;
  const isSettled =
    isFinished ||
    (await settleCancelledExecution(
      deps,
      tenantId,
      toEnded(deps, job, cancelled(result), reserved),
    )) === "written";
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
  const { status, endTime } = ended.item;
  const output = isFinished ? result.output : null;
  return {
    output,
    treeCost: readTreeCost(ended.item),
    item: ended.item,
    trace: ended.end.trace,
    result: {
      executionId: item.id,
      agentId: item.agentId,
      agentRevision: item.agentRevision,
      status: isFinished ? status : "Cancelled",
      output,
      usage: ended.usage.tokens,
      cost: ended.usage.cost,
      priced: ended.usage.priced,
      startTime: item.startTime,
      endTime,
    },
    error: isFinished ? result.error : null,
  };
};

const cancelled = (result: FinalResult): FinalResult => ({
  ...result,
  status: "Cancelled",
  output: null,
  error: null,
});

const toEnded = (
  { runtime }: Pick<ExecutionDeps, "runtime">,
  { agent, item, owner }: Job,
  { status, output, error, usage, spans, costOfSubAgents }: FinalResult,
  reserved: number,
): EndedExecution => {
  const counted = countCost(usage);
  return {
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
    end: {
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
