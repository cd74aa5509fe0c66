import { StepError } from "../step-error.ts";
import type { Span, StepOutcome } from "./flow-result.ts";
import { modelCallType } from "./sum-usage.ts";
import { type Hide, TraceRoom } from "./trace-room.ts";

const defaultMaxStepRuns = 1_000;

/** Spans, attempts and cost of a run, including the finished steps of earlier runs. */
export class Ledger {
  readonly spans: Span[] = [];
  readonly trace: TraceRoom;
  /** US dollars: cost of finished model calls, estimated cost of open ones, and the most that those may cost. */
  spent = 0;
  expected = 0;
  bound = 0;
  /** Unfinished steps with emitted text. */
  readonly streaming = new Set<string>();
  /** The failure, outside the flow, that ended the run. */
  fault: { readonly error: unknown } | undefined;
  readonly #maxStepRuns: number;
  #stepRuns = 0;

  constructor(maxStepRuns = defaultMaxStepRuns, hide?: Hide) {
    this.#maxStepRuns = maxStepRuns;
    this.trace = new TraceRoom(hide);
  }

  add(spans: readonly Span[]): void {
    for (const span of spans) this.spans.push(span);
  }

  /** Counts a step that an earlier run finished. */
  takeOver({ spans }: StepOutcome): void {
    this.add(spans);
    for (const span of spans) if (isAttempt(span)) this.#stepRuns += 1;
    this.takeOverCost(spans);
  }

  /** Counts the cost of model calls in earlier runs, and the size of their spans. */
  takeOverCost(spans: readonly Span[]): void {
    this.trace.count(spans);
    for (const { type, cost } of spans) {
      if (type === modelCallType) this.spent += cost?.totalCost ?? 0;
    }
  }

  /** Counts an attempt at a step. Throws a StepError when the flow has none left. */
  countRun(): void {
    this.assertRunsLeft(1);
    this.#stepRuns += 1;
  }

  /** Throws a StepError when the flow has fewer attempts left than `count`. */
  assertRunsLeft(count: number): void {
    if (this.#stepRuns + count <= this.#maxStepRuns) return;
    const detail = `The flow exceeds ${this.#maxStepRuns} runs of steps.`;
    throw new StepError("execution-failed", detail);
  }
}

/** Returns whether a span is a step's own; spans below it share its step id. */
const isAttempt = ({ stepId, parentId }: Span): boolean =>
  parentId === null || parentId.replaceAll(/#\d+/g, "") !== stepId;
