import { type Json, setMember } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import { describeFailure } from "./describe-failure.ts";
import type { FlowError, FlowResult, StepOutcome } from "./flow-result.ts";
import { createProgress, type Ready } from "./progress.ts";
import { type Address, finishStep, type Run } from "./run.ts";
import { blankSpan, runStep } from "./run-step.ts";
import { RunStop } from "./run-stop.ts";
import type { StepPlan } from "./step-type.ts";
import { sumUsage } from "./sum-usage.ts";

/** Starts the steps of one run of a flow as they become ready, until none is left or one ends it. */
export class StepScheduler {
  readonly #run: Run;
  readonly #progress;
  readonly #outputs = new Map<number, Json>();
  readonly #places: ReadonlyMap<string, number>;
  #running = 0;
  /** Whether a step is left to another run. */
  #isDrained = false;
  /** Whether a step waits. */
  #isWaiting = false;
  #final: { readonly output: Json } | undefined;
  #error: FlowError | undefined;
  #wake = () => {};

  constructor(run: Run) {
    this.#run = run;
    this.#progress = createProgress(run.flow);
    this.#places = new Map(run.flow.steps.map((step, place) => [step.base.id, place]));
  }

  async toEnd(): Promise<FlowResult> {
    this.#takeCompleted();
    this.#start({ start: this.#progress.roots(), skip: [] });
    while (this.#running > 0) await new Promise<void>((wake) => (this.#wake = wake));
    const { fault } = this.#run.ledger;
    if (fault) throw fault.error;
    return this.#result();
  }

  /**
   * Counts earlier runs' attempts and spans; outputs are added when their steps are due. Of unfinished steps, kept
   * under an id that no step has, only the cost counts: they run again.
   */
  #takeCompleted(): void {
    for (const [id, outcome] of this.#run.options.completed ?? []) {
      const [outer = ""] = id.split("/", 1);
      if (this.#places.has(outer)) this.#run.ledger.takeOver(outcome);
      else this.#run.ledger.takeOverCost(outcome.spans);
    }
  }

  #start(first: Ready): void {
    const open = [first];
    for (let ready = open.pop(); ready; ready = open.pop()) {
      this.#skip(ready.skip);
      for (const place of ready.start) {
        if (this.#run.signal.aborted) return;
        const earlier = this.#earlier(place);
        if (earlier) open.push(this.#adopt(place, earlier));
        else if (this.#isHeldBack(place)) this.#isDrained = true;
        else this.#launch(place);
      }
    }
  }

  #isHeldBack(place: number): boolean {
    return this.#run.options.drain?.aborted === true && this.#run.flow.steps[place]?.waits === true;
  }

  #earlier(place: number): StepOutcome | undefined {
    const id = this.#run.flow.steps[place]?.base.id;
    return id === undefined ? undefined : this.#run.options.completed?.get(id);
  }

  #skip(places: readonly number[]): void {
    const { steps } = this.#run.flow;
    const now = this.#run.options.deps.clock();
    for (const place of places) {
      const step = steps[place];
      if (step) this.#run.ledger.spans.push(blankSpan(step, toAddress(step), now));
    }
  }

  #adopt(place: number, outcome: StepOutcome): Ready {
    const { output, isNothing, chosen, error: failure, isFailed } = outcome;
    const step = this.#run.flow.steps[place];
    if (step) {
      try {
        if (failure) this.#run.state.addError(step.base.id, failure);
        if (!isNothing) this.#run.state.add(step.base.id, output);
      } catch (error) {
        this.#fail(describeFailure(error, step.base.id));
      }
      if (step.ends && !isFailed) this.#endWith(output);
    }
    if (isFailed) return this.#progress.fail(place);
    return this.#finish(place, output, chosen);
  }

  #launch(place: number): void {
    const step = this.#run.flow.steps[place];
    if (!step) return;
    this.#running += 1;
    void this.#run.activity
      .during(() => this.#work(place))
      .catch((error: unknown) => {
        this.#run.ledger.fault ??= { error };
        this.#run.stop("failed");
      })
      .finally(() => {
        this.#running -= 1;
        if (this.#running === 0) this.#wake();
      });
  }

  async #work(place: number): Promise<void> {
    const step = this.#run.flow.steps[place];
    if (!step) return;
    const end = await runStep(this.#run, step, toAddress(step));
    if (end.status === "failed" && end.handled) {
      const failed = { output: null, isNothing: true, isFailed: true, error: end.handled } as const;
      await finishStep(this.#run, { stepId: step.base.id, ...failed, spans: end.spans });
      return this.#start(this.#progress.fail(place));
    }
    if (end.status !== "done") this.#run.ledger.add(end.spans);
    if (end.status === "stopped") {
      this.#isDrained ||= !this.#run.signal.aborted;
      return;
    }
    if (end.status === "waiting") {
      this.#isWaiting = true;
      return;
    }
    if (end.status === "failed") return this.#fail(end.error);
    const { output, chosen } = end.result;
    if (step.ends) this.#endWith(output);
    await finishStep(this.#run, { stepId: step.base.id, ...end.result, spans: end.spans });
    this.#start(this.#finish(place, output, chosen));
  }

  #finish(place: number, output: Json, chosen: string | null = toChosen(output)): Ready {
    this.#outputs.set(place, output);
    return this.#progress.finish(place, chosen);
  }

  #endWith(output: Json): void {
    if (this.#run.signal.aborted) return;
    this.#final = { output };
    this.#run.stop("ended");
  }

  #fail(error: FlowError): void {
    if (this.#run.signal.aborted) return;
    this.#error = error;
    this.#run.stop("failed");
  }

  #result(): FlowResult {
    const { ledger, suspensions } = this.#run;
    const { spans } = ledger;
    const kind = this.#stopKind();
    const isResumable = kind === "interrupted" || (kind === undefined && this.#isWaiting);
    const suspended = suspensions.list();
    if (isResumable) {
      const status = kind === "interrupted" ? "Interrupted" : "Waiting";
      const usage = sumUsage(spans);
      return { status, output: null, error: null, usage, spans, suspended };
    }
    for (const outcome of suspended) ledger.add(outcome.spans);
    const shared = { usage: sumUsage(spans), spans };
    if (kind === "cancelled") return { status: "Cancelled", output: null, error: null, ...shared };
    if (kind === "deadline") {
      const late = new StepError("upstream-timeout", "The execution did not finish in time.");
      const error = describeFailure(late, this.#cancelledStep());
      return { status: "TimedOut", output: null, error, ...shared };
    }
    if (this.#error) return { status: "Failed", output: null, error: this.#error, ...shared };
    const output = this.#final ? this.#final.output : this.#lastOutputs();
    return { status: "Succeeded", output, error: null, ...shared };
  }

  /** A cancel and the deadline take precedence over a hand-over in progress. */
  #stopKind(): RunStop["kind"] | undefined {
    const { signal, options } = this.#run;
    const drained = this.#isDrained ? "interrupted" : undefined;
    const kind = signal.reason instanceof RunStop ? signal.reason.kind : drained;
    if (kind !== "interrupted") return kind;
    if (options.signal.aborted) return "cancelled";
    return options.deps.clock() > options.deadline ? "deadline" : kind;
  }

  #cancelledStep(): string | null {
    const { spans } = this.#run.ledger;
    return spans.find(({ status }) => status === "Cancelled")?.stepId ?? null;
  }

  /** Returns the outputs of the steps that no step follows, for a flow that ended without an Output step. */
  #lastOutputs(): Json {
    const { steps, graph } = this.#run.flow;
    const last = steps.filter((_step, place) => graph.next[place]?.length === 0);
    const found: Record<string, Json> = {};
    for (const { base } of last) {
      const place = this.#places.get(base.id);
      const output = place === undefined ? undefined : this.#outputs.get(place);
      if (output !== undefined) setMember(found, base.id, output);
    }
    const outputs = Object.values(found);
    if (outputs.length === 0) return null;
    return last.length === 1 ? (outputs[0] ?? null) : found;
  }
}

const toAddress = ({ base }: StepPlan): Address => ({
  stepId: base.id,
  spanId: base.id,
  parentId: null,
});

const toChosen = (output: Json): string | null => (typeof output === "string" ? output : null);
