import { waitWithTimer } from "../../platform/runtime/wait.ts";
import type { Json } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import { askServices } from "./checks/ask-services.ts";
import type { ChildSpans } from "./child-spans.ts";
import { emit } from "./emit.ts";
import { evaluateInRun } from "./evaluate-in-run.ts";
import { guardValue } from "./guard-value.ts";
import type { Run } from "./run.ts";
import { runItems } from "./run-items.ts";
import { RunStop, whenAborted } from "./run-stop.ts";
import type { Estimate } from "./spend-guard.ts";
import type { StepContext, StepNotes } from "./step-context.ts";
import type { StepPlan, StepResult } from "./step-type.ts";
import { startTimeLimit } from "./time-limit.ts";
import type { WaitEnd, WaitRequest } from "./waits.ts";

/** One attempt at a step. */
export type Attempt = {
  readonly stepId: string;
  readonly spanId: string;
  readonly notes: StepNotes;
  /** State that an earlier run kept. */
  readonly resumed: Json | undefined;
  /** Keeps the state with which another run resumes the attempt if it waits. */
  keep(state: Json): void;
  /** Spans below its own. */
  below(): ChildSpans;
};

/** Runs a step once, within its time limit. */
export const runAttempt = async (
  run: Run,
  step: StepPlan,
  attempt: Attempt,
): Promise<StepResult> => {
  const { stepId, spanId, notes, below } = attempt;
  const { deps, defaultLlm, session, traceContextBelow } = run.options;
  const { clock, models, tools, agents, skills, knowledge, memory, files } = deps;
  const { processor } = run;
  const limit = startTimeLimit(run, step);
  const { signal } = limit;
  const endsAt = clock() + step.timeoutSeconds * 1_000;
  const { hide = (value: Json) => value } = run.options;
  const spending = {
    openSpan: (...child: Parameters<StepContext["openSpan"]>) => below().openSpan(...child),
    reserve: (estimate: () => Promise<Estimate>) => reserve(run, signal, estimate),
  };
  const ask = askServices({ models, processor, signal, hide, ...spending });
  try {
    const working = step.run({
      evaluate: async (value, more) => (await evaluateInRun(run, value, endsAt, more)) ?? null,
      select: (value) => evaluateInRun(run, value, endsAt),
      spanId,
      traceContextBelow,
      signal,
      clock,
      remainingMs: () => Math.max(0, Math.min(endsAt, run.options.deadline) - clock()),
      sleep: deps.sleep ?? waitWithTimer,
      processor,
      models,
      tools,
      agents,
      skills,
      knowledge,
      memory,
      files,
      defaultLlm,
      session,
      note: (found) => void Object.assign(notes, found),
      delta(text) {
        if (signal.aborted || text === "") return;
        run.ledger.streaming.add(stepId);
        emit(run, { type: "output.delta", stepId, text });
      },
      ...spending,
      reopenSpan: (id) => below().reopenSpan(id),
      guard: (place, value) => guardValue({ guard: run.options.guard, below, ask }, place, value),
      hide,
      wait: (request) => awaitEnd(run, attempt, { request, path: stepId }),
      suspended: attempt.resumed,
      findEnd: (name) => run.options.waits?.ended.get(nameWait(attempt, name)),
      suspend(state, waits) {
        attempt.keep(state);
        limit.lift();
        return awaitAny(run, attempt, waits);
      },
      runItems: (items, options) => runItems({ ...run, signal }, { step, attempt }, items, options),
    });
    return await limit.race(working);
  } catch (error) {
    if (signal.aborted) throw toAbortReason(signal, step);
    throw error;
  } finally {
    limit.release();
  }
};

const toAbortReason = (signal: AbortSignal, step: StepPlan): unknown => {
  const { reason } = signal;
  if (!(reason instanceof RunStop) || reason.kind !== "step-timeout") return reason;
  const detail = `The step did not finish within ${step.timeoutSeconds} s.`;
  return new StepError("upstream-timeout", detail);
};

const awaitEnd = async (
  run: Run,
  attempt: Attempt,
  { request, path }: { request: () => Promise<WaitRequest>; path: string },
): Promise<WaitEnd> => {
  const { waits, deps } = run.options;
  if (!waits) throw new StepError("execution-failed", "Nothing can be waited for here.");
  const { stepId, notes } = attempt;
  const show = (until: number) => {
    if (path === stepId) notes.input = { until: new Date(until).toISOString() };
  };
  const end = waits.ended.get(path);
  if (end) {
    show(end.at);
    notes.startTime = end.since;
    return end;
  }
  const open = async (): Promise<WaitEnd> => {
    const room = waits.enter(path);
    if (room !== undefined) await unlessIdle(run, () => room);
    const known = waits.opened.get(path);
    const requested = known ? undefined : { ...(await request()), stepId, path };
    const { kind, until } = requested ?? known ?? { kind: "Timer", until: 0 };
    show(until);
    const now = deps.clock();
    if (kind === "Timer" && until <= now) return { since: now, at: until };
    const early = requested?.kind === "Callback" ? await waits.findEarly(path) : undefined;
    return (
      early ??
      unlessIdle(run, (over) =>
        requested ? waits.open(requested, over) : waits.reopen(path, over),
      )
    );
  };
  try {
    const reached = await open();
    waits.leave(path);
    return reached;
  } catch (error) {
    if (!(error instanceof RunStop && error.kind === "waiting")) waits.leave(path);
    throw error;
  }
};

/** Waits for other work, in which nothing counts as running. Rejects with a RunStop once nothing else can run. */
const unlessIdle = async <Result>(
  { activity, signal, leaveSlot }: Run,
  work: (over: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const over = AbortSignal.any([signal, activity.idle]);
  const { aborted, release } = whenAborted(over);
  try {
    const working = work(over);
    leaveSlot?.();
    return await activity.waiting(() => Promise.race([working, aborted]));
  } catch (error) {
    const isOpen = activity.idle.aborted && !signal.aborted && !(error instanceof StepError);
    throw isOpen ? new RunStop("waiting") : error;
  } finally {
    release();
  }
};

/** The path of a wait is that of no other attempt, and the same in every run. */
const nameWait = ({ spanId }: Attempt, name: string): string => `${spanId}#${name}`;

const awaitAny = async (
  run: Run,
  attempt: Attempt,
  waits: ReadonlyMap<string, () => Promise<WaitRequest>>,
): Promise<never> => {
  if (waits.size === 0) throw new RunStop("waiting");
  const { during, without } = run.activity;
  const open: { path: string; request: () => Promise<WaitRequest> }[] = [];
  // No wait is opened when the request of another one fails.
  for (const [name, request] of waits) {
    const path = nameWait(attempt, name);
    const requested = run.options.waits?.opened.has(path) ? undefined : await request();
    open.push({ path, request: async () => requested ?? request() });
  }
  await without(() => Promise.all(open.map((wait) => during(() => awaitEnd(run, attempt, wait)))));
  throw new Error("the waits of a suspended attempt ended in its run");
};

const reserve = async (
  { options: { spend }, ledger }: Run,
  signal: AbortSignal,
  estimate: () => Promise<Estimate>,
): Promise<() => void> => {
  if (!spend) return () => {};
  const { dollars, most, unpriced } = await estimate();
  if (unpriced !== undefined) spend.checkUnpriced(unpriced);
  if (most <= 0) return () => {};
  const spent = ledger.spent + ledger.expected;
  ledger.expected += dollars;
  ledger.bound += most;
  const release = () => {
    ledger.expected -= dollars;
    // The cost of an aborted call is counted when its attempt has ended.
    if (!signal.aborted) ledger.bound -= most;
  };
  try {
    await spend.reserve({ spent, estimate: dollars, most: () => ledger.spent + ledger.bound });
    return release;
  } catch (error) {
    release();
    throw error;
  }
};
