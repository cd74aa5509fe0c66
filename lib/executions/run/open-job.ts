import type { FlowEvent, StepOutcome } from "../../engine/flow/flow-result.ts";
import { toPinnedOutcomes } from "../../engine/flow/pinned-steps.ts";
import type { FlowSession } from "../../engine/flow/session.ts";
import type { SpendGuard } from "../../engine/flow/spend-guard.ts";
import { sumUsage, totalUsage } from "../../engine/flow/sum-usage.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { spendGuard } from "../../spending/budget/reserve-spend.ts";
import type { Json } from "../../values/json/json.ts";
import { interrupted, type StoredProgress } from "../checkpoints/checkpoint-store.ts";
import type { ScreenedInput } from "../guard/guard-input.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInEvents, maskInValue } from "../job/masks.ts";
import { fromStored } from "../job/stored-outcome.ts";
import { toExecutionKey } from "../record/keys.ts";
import { reserveOnRecord } from "../record/store.ts";
import type { CallerContext } from "../schemas.ts";
import { toSessionPlace } from "../session/keys.ts";
import { type ClosedSession, loadRunSession } from "../session/load-session.ts";
import { toKeptTurns } from "../session/session-item.ts";
import { findHistory } from "../session/turn-messages.ts";
import { listCallbacks } from "../wait/callback-address.ts";
import { openRunGuard, type RunGuard } from "./open-run-guard.ts";
import { continueElsewhere, guardRun, type RunContext } from "./run-context.ts";

type Opening = {
  job: Job;
  context: RunContext;
  emit: ((event: FlowEvent) => void) | undefined;
  progress: StoredProgress | undefined;
};

/**
 * Opens a run of an execution: its guardrails, its budget, and its session. Applies the checks of its input that ask services.
 * Rejects on storage failures.
 */
export const openJob = async (
  deps: ExecutionDeps,
  { job: given, context, emit, progress }: Opening,
) => {
  const callbacks = await listCallbacks(deps, { job: given, root: context.root });
  const tokens = callbacks?.map(({ token }) => token) ?? [];
  const called = { ...given, ...(callbacks && { callbacks }) };
  const sending = { job: called, context, emit: emit && maskInEvents(tokens, emit) };
  const guarding = await openRunGuard(deps, sending);
  const { revision, item } = given;
  const hasUnknownCosts = progress !== undefined && revision.flow.agentIds.length > 0;
  const budget = guardSpend(deps, given);
  const spend = guardRun([context.limit?.guardFor(item.id, hasUnknownCosts), budget], context);
  const screening = { job: called, context, guarding, spend, progress };
  const { screened, completed } = await screen(deps, screening);
  const { values: checked, context: sent } = screened;
  const {
    session,
    flow: turns,
    values,
  } = await openRunSession(deps, { ...called, values: checked, context: sent });
  const job: Job = { ...called, values };
  return { guarding, screened, completed, session, turns, job, budget, spend };
};

type Screening = {
  job: Job;
  context: RunContext;
  guarding: RunGuard;
  spend: SpendGuard | undefined;
  progress: StoredProgress | undefined;
};

/** Applies the checks of the input that ask services. Their spans are kept like those of a finished step. */
const screen = async (
  deps: ExecutionDeps,
  { job, context, guarding, spend, progress }: Screening,
): Promise<{ screened: ScreenedInput; completed: Map<string, StepOutcome> | undefined }> => {
  const completed = readCompleted(deps, { job, progress });
  const earlier = [...(completed?.values() ?? [])].flatMap(({ spans }) => spans);
  const spent = totalUsage(sumUsage(earlier)).cost.totalCost;
  const screened = await guarding.screen(spend, spent);
  if (screened.spans.length === 0) return { screened, completed };
  const outcome = interrupted(newUuid(deps.runtime), screened.spans);
  await continueElsewhere(context, () => context.steps.keep(job, outcome));
  return { screened, completed: new Map([...(completed ?? []), [outcome.stepId, outcome]]) };
};

/** Returns the pinned steps of a draft, and the finished and suspended steps of earlier runs of a job; undefined for none. */
const readCompleted = (
  { runtime }: Pick<ExecutionDeps, "runtime">,
  { job, progress }: Pick<Screening, "job" | "progress">,
): Map<string, StepOutcome> | undefined => {
  const { flow, pinned } = job.revision;
  const secrets = jobSecrets(job).inTraces;
  const options = { now: runtime.clock(), hide: (value: Json) => maskInValue(value, secrets) };
  const given = pinned && toPinnedOutcomes(flow, pinned, options);
  if (!progress) return given && given.size > 0 ? given : undefined;
  const stored = [...progress.completed].map(
    ([stepId, outcome]) => [stepId, fromStored(job, outcome)] as const,
  );
  return new Map([...(given ?? []), ...stored]);
};

/** Returns the guard of the agent's budget; undefined without one. */
const guardSpend = ({ db }: Pick<ExecutionDeps, "db">, { tenantId, agent, item }: Job) => {
  const { id: executionId, startTime, reserved } = item;
  const key = toExecutionKey(item);
  const reserve = (more: number) => reserveOnRecord(key, more);
  const execution = { executionId, startTime, reserved, reserveOnRecord: reserve };
  return spendGuard({ db }, { tenantId, agent, execution });
};

/** The session of a run. */
type OpenSession = {
  /** Returns the session with the messages that the finished steps exchanged, as a guard leaves them. */
  close: (
    outcomes: readonly StepOutcome[],
    guard: Pick<RunGuard, "mask" | "maskMessages">,
  ) => ClosedSession;
};

/** The session of a run, and what its Prompts see of it and of the caller's context; undefined without either. */
type RunTurns = {
  session: OpenSession | undefined;
  flow: FlowSession | undefined;
  values: Job["values"];
};

/**
 * Loads the session of an execution, undefined without one, and its inputs with the history for an agent that declares it.
 * Its Prompts see the session's earlier turns, but for such an agent, and then the messages that the caller sent.
 */
const openRunSession = async (
  deps: ExecutionDeps,
  { tenantId, item, revision, values, context }: Job,
): Promise<RunTurns> => {
  if (item.session === null) {
    return { session: undefined, flow: context && withContext(context), values };
  }
  const { agentId, id: executionId } = item;
  const place = toSessionPlace(tenantId, agentId, item.session.id);
  const { sessionPolicy, parametersMetadata } = revision.content;
  const policy = toKeptTurns(sessionPolicy);
  const now = deps.runtime.clock();
  const own = await loadRunSession(deps, { place, executionId, policy, now });
  const history = findHistory(parametersMetadata, values, own.turns);
  const flow = history === undefined ? own.flow : undefined;
  return {
    flow: context ? withContext(context, flow) : flow,
    session: {
      close: (outcomes, { mask, maskMessages }) => ({
        own,
        exchanged: maskMessages(listExchanged(outcomes)),
        mask,
      }),
    },
    values: history === undefined ? values : { ...values, history },
  };
};

/** Adds the caller's context to what Prompts see of a session, if there is one. */
const withContext = (
  { instructions: own, systemText, maxOutputTokens, messages }: CallerContext,
  session?: FlowSession,
): FlowSession => {
  const sent = messages.map(
    ({ role, text }): ModelMessage =>
      role === "user" ? { role, text } : { role, text, toolCalls: [] },
  );
  const instructions = [own, systemText].filter((text) => text !== undefined);
  return {
    ...(instructions.length > 0 && { instructions: instructions.join("\n\n") }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    recall: async (summarize) => [...((await session?.recall(summarize)) ?? []), ...sent],
  };
};

/** Returns the messages that the Prompts of a flow and their models exchanged, in the order in which the steps finished. */
const listExchanged = (outcomes: readonly StepOutcome[]): ModelMessage[] => {
  const findEnd = ({ spans }: StepOutcome) => Math.max(0, ...spans.map(({ endTime }) => endTime));
  return outcomes
    .filter(({ exchange }) => exchange)
    .toSorted((one, other) => findEnd(one) - findEnd(other))
    .flatMap(({ exchange = [] }) => exchange);
};
