import { describeFailure } from "./describe-failure.ts";
import { emit } from "./emit.ts";
import type { FlowError, FlowResult, Span, StepOutcome } from "./flow-result.ts";
import { type Json, setMember } from "./json.ts";
import { createProgress, type Ready } from "./progress.ts";
import type { Run } from "./run-attempt.ts";
import { blankSpan, runStep } from "./run-step.ts";
import { RunStop } from "./run-stop.ts";
import { StepError } from "./step-error.ts";
import { sumUsage } from "./sum-usage.ts";

const defaultMaxStepRuns = 1_000;

/** One run of a flow: starts steps as they become ready, until none is left or one ends it. */
export class FlowRun {
  readonly #run: Run;
  readonly #progress;
  readonly #outputs = new Map<number, Json>();
  readonly #spans: Span[] = [];
  readonly #places: ReadonlyMap<string, number>;
  #stepRuns = 0;
  #running = 0;
  #final: { readonly output: Json } | undefined;
  #error: FlowError | undefined;
  #fault: { readonly error: unknown } | undefined;
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
    if (this.#fault) throw this.#fault.error;
    return this.#result();
  }

  /** Counts earlier runs' attempts and spans; the outputs are taken when it is their turn. */
  #takeCompleted(): void {
    for (const [id, outcome] of this.#run.options.completed ?? []) {
      if (!this.#places.has(id)) continue;
      this.#stepRuns += outcome.spans.length;
      this.#spans.push(...outcome.spans);
    }
  }

  #start(first: Ready): void {
    const open = [first];
    for (let ready = open.pop(); ready; ready = open.pop()) {
      this.#skip(ready.skip);
      for (const place of ready.start) {
        if (this.#run.stop.signal.aborted) return;
        const earlier = this.#earlier(place);
        if (earlier) open.push(this.#adopt(place, earlier.output));
        else this.#launch(place);
      }
    }
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
      if (step) this.#spans.push(blankSpan(step, now));
    }
  }

  #adopt(place: number, output: Json): Ready {
    const step = this.#run.flow.steps[place];
    if (step) {
      try {
        this.#run.state.add(step.base.id, output);
      } catch (error) {
        this.#fail(describeFailure(error, step.base.id));
      }
      if (step.ends) this.#endWith(output);
    }
    return this.#finish(place, output);
  }

  #launch(place: number): void {
    const step = this.#run.flow.steps[place];
    if (!step) return;
    this.#running += 1;
    void this.#work(place)
      .catch((error: unknown) => {
        this.#fault ??= { error };
        this.#halt("failed");
      })
      .finally(() => {
        this.#running -= 1;
        if (this.#running === 0) this.#wake();
      });
  }

  async #work(place: number): Promise<void> {
    const step = this.#run.flow.steps[place];
    if (!step) return;
    const end = await runStep(this.#run, step, () => this.#countRun());
    this.#spans.push(...end.spans);
    if (end.status === "stopped") return;
    if (end.status === "failed") return this.#fail(end.error);
    const { output } = end.result;
    const stepId = step.base.id;
    if (step.ends) this.#endWith(output);
    await this.#run.options.onStepCompleted?.({ stepId, output, spans: end.spans });
    emit(this.#run, { type: "step.completed", stepId, output });
    this.#start(this.#finish(place, output));
  }

  #finish(place: number, output: Json): Ready {
    this.#outputs.set(place, output);
    return this.#progress.finish(place, output);
  }

  #countRun(): void {
    const limit = this.#run.options.limits?.maxStepRuns ?? defaultMaxStepRuns;
    this.#stepRuns += 1;
    if (this.#stepRuns <= limit) return;
    throw new StepError("execution-failed", `The flow needs more than ${limit} runs of steps.`);
  }

  #endWith(output: Json): void {
    if (this.#run.stop.signal.aborted) return;
    this.#final = { output };
    this.#halt("ended");
  }

  #fail(error: FlowError): void {
    if (this.#run.stop.signal.aborted) return;
    this.#error = error;
    this.#halt("failed");
  }

  #halt(kind: RunStop["kind"]): void {
    if (!this.#run.stop.signal.aborted) this.#run.stop.abort(new RunStop(kind));
  }

  #result(): FlowResult {
    const usage = sumUsage(this.#spans);
    const shared = { usage, spans: this.#spans };
    const reason: unknown = this.#run.stop.signal.reason;
    const kind = reason instanceof RunStop ? reason.kind : undefined;
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

  #cancelledStep(): string | null {
    return this.#spans.find(({ status }) => status === "Cancelled")?.stepId ?? null;
  }

  /** Without an Output step: what the steps gave that no other step follows. */
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
