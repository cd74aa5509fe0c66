import type { FlowError, FlowResult } from "../../engine/flow/flow-result.ts";
import { totalUsage } from "../../engine/flow/sum-usage.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import type { BuildEvents, ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInText, maskInTrace, maskInValue } from "../job/masks.ts";
import { removeExecution } from "../purge/purge-executions.ts";
import { toErrorMembers } from "../record/error-members.ts";
import { toExecutionKey } from "../record/keys.ts";
import { type RunOutcome, type TreeCost, toTraceSpan, toTreeMembers } from "../record/results.ts";
import { getExecution } from "../record/store.ts";
import type { ClosedSession } from "../session/load-session.ts";
import { type AddedTurn, buildSessionTurn, endExecution, withOwner } from "./end-execution.ts";

/** The result of a flow that ended, which is not interrupted. */
type FinalFlowResult = FlowResult & { status: Exclude<FlowResult["status"], "Interrupted"> };

/** A run that ended its execution. */
type FinishedRun = {
  job: Job;
  result: FinalFlowResult;
  /** Of the executions of sub-agents below it. */
  subAgentsCost: TreeCost;
  /** US dollars reserved by it. */
  reserved: number;
  session?: ClosedSession | undefined;
  /** Prepared during the run; default: prepared now. */
  buildEvents?: BuildEvents | undefined;
};

/** Dependencies of recording the end of a run. */
type FinishDeps = Pick<
  ExecutionDeps,
  "db" | "objects" | "runtime" | "send" | "endHooks" | "joinEnd"
>;

/**
 * Records the end of an execution, counts its usage and releases its reservation, exactly once among
 * concurrent callers. A cancelled execution stays cancelled, but its usage is counted. Undefined when another
 * run holds it or it was deleted.
 */
export const finishExecution = async (
  deps: FinishDeps,
  run: FinishedRun,
): Promise<RunOutcome | undefined> => {
  const { db, endHooks } = deps;
  const { job, reserved, buildEvents = endHooks.prepareEvents(deps, job.item) } = run;
  const { tenantId, agent, item, owner } = job;
  const result = refuseLargeOutput(hideSecretsIn(job, run.result));
  const outcome = toOutcome(deps, { ...run, result });
  const end = { tenantId, agent, owner, outcome, usage: result.usage };
  const events = [...(await buildEvents(end)), ...(await endHooks.beforeEnd(deps, end))];
  const isCancelledRun = result.status === "Cancelled" && owner !== null;
  const turn = await buildTurn(deps, run, result);
  const ended =
    (isCancelledRun ? undefined : await endExecution(deps, { end, events, from: "open", turn })) ??
    (await endExecution(deps, { end, events, from: "cancelled" }));
  if (!ended) {
    const stored = await getExecution(db, tenantId, item.agentId, item.id);
    if (!stored) await removeExecution(deps, toExecutionKey(item));
    if (!stored || stored.item.reserved === reserved) return undefined;
    return finishExecution(deps, { ...run, reserved: stored.item.reserved });
  }
  await Promise.all(ended.events.map((event) => enqueueEvent(deps.send, event)));
  await endHooks.afterEnd(deps, end);
  return ended.outcome;
};

/** Builds the turn that a succeeded execution adds to its session; undefined for none. */
const buildTurn = async (
  deps: FinishDeps,
  { job, session }: FinishedRun,
  { status, output }: FinalFlowResult,
): Promise<AddedTurn | undefined> => {
  if (!session || status !== "Succeeded") return undefined;
  return buildSessionTurn(deps, { job, session, output, now: deps.runtime.clock() });
};

const toOutcome = (
  { runtime }: FinishDeps,
  { job: { item }, result, subAgentsCost, reserved, session }: FinishedRun,
): RunOutcome => {
  const { endUserId } = withOwner(item, session?.own);
  const { status, output, error, usage, spans } = result;
  const { tokens, cost, priced } = totalUsage(usage);
  return {
    item: {
      ...item,
      ...(endUserId !== undefined && { endUserId }),
      status,
      ...toErrorMembers(error),
      endTime: runtime.clock(),
      hasResult: status === "Succeeded",
      hasTrace: true,
      ...tokens,
      ...cost,
      priced,
      ...toTreeMembers({ cost: cost.totalCost, priced }, subAgentsCost),
      reserved,
    },
    output,
    error,
    trace: spans.map(toTraceSpan),
  };
};

const refuseLargeOutput = (result: FinalFlowResult): FinalFlowResult => {
  const bytes = responseBytes(result.output);
  if (bytes <= maxResponseBytes) return result;
  const detail = `The output has ${bytes} bytes; a response takes at most ${maxResponseBytes}.`;
  const error: FlowError = { slug: "execution-failed", detail, step: null };
  return { ...result, status: "Failed", output: null, error };
};

/** Masks secrets in the output, the error and the trace of a run. */
export const hideSecretsIn = <Result extends FlowResult>(job: Job, result: Result): Result => {
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
