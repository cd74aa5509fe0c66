import type { FlowError, FlowResult } from "../../engine/flow/flow-result.ts";
import { totalUsage } from "../../engine/flow/sum-usage.ts";
import { maskText } from "../../engine/guardrails/guard.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import {
  type OrganizationEvent,
  traceEventType,
  unsentMessageType,
} from "../../platform/outbox/organization-event.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import { formatValue, type Json } from "../../values/json/json.ts";
import type { BuildEvents, EndInput, ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInText, maskInTrace, maskInValue, maskMessages } from "../job/masks.ts";
import { removeExecution } from "../purge/purge-executions.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import {
  type RunOutcome,
  type TreeCost,
  toErrorMembers,
  toTraceSpan,
  toTreeMembers,
} from "../record/results.ts";
import { getExecution } from "../record/store.ts";
import { toSessionPlace } from "../session/keys.ts";
import type { ClosedSession, RunSession } from "../session/load-session.ts";
import { listPersons } from "../session/persons.ts";
import { type SessionEnd, sendNext } from "../session/release-session.ts";
import type { TurnItem } from "../session/session-item.ts";
import { toTurnInput } from "../session/turn-messages.ts";
import { buildTurnWrite, deleteTurns, fitTurn } from "../session/turn-store.ts";
import { writeEnd } from "./end-store.ts";

/**
 * Ends an execution, in one transaction with the writes of others, with its turn and with the release of its session. Returns what was written, undefined when the
 * execution has ended, is held by another run, or was deleted.
 * @param input `from`: the state that the execution may be in: open, or cancelled and not counted
 */
export const endExecution = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "endHooks" | "send" | "joinEnd">,
  {
    end,
    events,
    from,
    turn,
  }: {
    end: EndInput;
    events: readonly OrganizationEvent[];
    from: "open" | "cancelled";
    turn?: AddedTurn | undefined;
  },
): Promise<{ outcome: RunOutcome; events: readonly OrganizationEvent[] } | undefined> => {
  // A cancelled execution is counted as such, and not published.
  const [outcome, published] =
    from === "open"
      ? [end.outcome, events]
      : [toCancelled(end.outcome), events.filter(({ type }) => isOfCancelled(type))];
  const { item } = outcome;
  const ended = { ...end, outcome };
  const writes = deps.endHooks.buildWrites(ended, published);
  const now = item.endTime ?? item.startTime;
  const retention = await findRetention(deps.db, end.tenantId, now);
  const own = from === "open" ? turn : undefined;
  const session = own?.end ?? toSessionEnd(item, now);
  const written = await writeEnd(deps, { end: ended, retention, writes, from, session });
  const { next, isAppended = false } = written.session ?? {};
  if (session && next) await sendNext(deps.send, session.place, { next, now });
  if (turn) await forgetTurns(deps, turn, isAppended);
  return written.written ? { outcome, events: published } : undefined;
};

/** Returns whether the end of a cancelled execution has events of a type: its trace is exported, its chat gets a reply. */
const isOfCancelled = (type: OrganizationEvent["type"]): boolean =>
  type === traceEventType || type === unsentMessageType;

/** Deletes the objects of turns that are not kept. Best effort: they expire. */
const forgetTurns = async (
  { objects }: Pick<ExecutionDeps, "objects">,
  { object, dropped }: AddedTurn,
  isAppended: boolean,
): Promise<void> => {
  const stored = dropped.flatMap(({ turn }) => ("object" in turn ? turn.object : []));
  const unused = isAppended ? stored : [object].flatMap((name) => name ?? []);
  if (unused.length === 0) return;
  await objects
    .remove(unused)
    .catch((error: unknown) => log("turns-not-deleted", { error: asError(error) }));
};

/** Returns the outcome of a cancelled execution, which keeps its usage and its trace. */
const toCancelled = ({ item, trace }: RunOutcome): RunOutcome => ({
  item: { ...item, status: "Cancelled", ...toErrorMembers(null), hasResult: false },
  output: null,
  error: null,
  trace,
});

/** The end of an execution of a session, and what is deleted with it. */
type AddedTurn = {
  end: SessionEnd;
  /** The object of its turn, which nothing refers to unless the turn is added. */
  object: string | undefined;
  /** Turns that are not kept when it is added. */
  dropped: readonly TurnItem[];
};

/** Returns the end of an execution that adds no turn to its session; undefined without a session. */
const toSessionEnd = (item: ExecutionRecord, now: number): SessionEnd | undefined => {
  if (item.session === null) return undefined;
  const { tenantId, agentId, executionId } = toExecutionKey(item);
  const place = toSessionPlace(tenantId, agentId, item.session.id);
  return { place, executionId, now, keptDays: item.sessionDays ?? 1 };
};

/**
 * Returns the end of a succeeded execution, which adds a turn to its session. Secrets, and what its guardrails mask, are masked
 * in it.
 */
const buildSessionTurn = async (
  { objects }: { objects: ObjectStore },
  {
    job,
    session: { own, exchanged, mask },
    output,
    now,
  }: { job: Job; session: ClosedSession; output: Json; now: number },
): Promise<AddedTurn | undefined> => {
  const end = toSessionEnd(job.item, now);
  const { place, appending, policy } = own;
  if (!end || !appending) return end && { end, object: undefined, dropped: [] };
  const { inTraces } = jobSecrets(job);
  const { parametersMetadata } = job.revision.content;
  const sent = maskInText(toTurnInput(parametersMetadata, job.values), inTraces);
  const turn = fitTurn({
    input: maskText({ mask }, sent),
    exchanged: [...maskMessages(exchanged, inTraces)],
    output: formatValue(mask(maskInValue(output, inTraces)) ?? undefined),
  });
  const persons = listPersons(withOwner(job.item, own));
  const appended = { ...appending, persons };
  const content = { turn, appended, executionId: end.executionId, endedAt: now, policy };
  const { write, tokens, object } = await buildTurnWrite(objects, place, content);
  const dropped = own.listDropped(tokens);
  const turnWrites = [write, ...deleteTurns(dropped)];
  return { end: { ...end, appended, turnWrites }, object, dropped };
};

/** Adds whom the session of an execution belongs to, if its starter did not say it. A chat names who wrote. */
const withOwner = (
  { endUserId, chatUser }: Pick<ExecutionRecord, "endUserId" | "chatUser">,
  session: Pick<RunSession, "endUserId"> | undefined,
): Pick<ExecutionRecord, "endUserId" | "chatUser"> => ({
  endUserId: endUserId ?? (chatUser === undefined ? session?.endUserId : undefined),
  chatUser,
});

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
  const { tenantId, agent, item, owner, unwritten } = job;
  const result = refuseLargeOutput(hideSecretsIn(job, run.result));
  const outcome = toOutcome(deps, { ...run, result });
  const end = { tenantId, agent, owner, outcome, usage: result.usage, unwritten };
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
