import type { Span, StepOutcome } from "./flow-result.ts";
import { StepError } from "./step-error.ts";
import { modelCallType } from "./sum-usage.ts";
import { type Hide, TraceRoom } from "./trace-room.ts";

const defaultMaxStepRuns = 1_000;

/** What a run did, used and spent, and the finished steps of earlier runs with it. */
export class Ledger {
  readonly spans: Span[] = [];
  readonly trace: TraceRoom;
  /** US dollars that calls of models cost, and that those under way are expected to. */
  spent = 0;
  expected = 0;
  /** Why the run can't go on, through no fault of the flow. */
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

  /** Counts what calls of models in earlier runs cost, and the room that their spans take. */
  takeOverCost(spans: readonly Span[]): void {
    this.trace.count(spans);
    for (const { type, cost } of spans) {
      if (type === modelCallType) this.spent += cost?.totalCost ?? 0;
    }
  }

  /** Counts an attempt at a step; a StepError when the flow has none left. */
  countRun(): void {
    this.assertRunsLeft(1);
    this.#stepRuns += 1;
  }

  /** A StepError when the flow has fewer attempts left than `count`. */
  assertRunsLeft(count: number): void {
    if (this.#stepRuns + count <= this.#maxStepRuns) return;
    const detail = `The flow needs more than ${this.#maxStepRuns} runs of steps.`;
    throw new StepError("execution-failed", detail);
  }
}

/** Whether a span is a step's, and not of something that a step did: those share their step's id. */
function isAttempt({ stepId, parentId }: Span): boolean {
  return parentId === null || parentId.replaceAll(/#\d+/g, "") !== stepId;
}
