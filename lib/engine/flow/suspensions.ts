import type { StepOutcome } from "./flow-result.ts";

/** No step id starts with it. */
const prefix = "~suspended/";

/** The attempts at steps that wait, of a run and of those before it. */
export class Suspensions {
  readonly #byStep = new Map<string, StepOutcome>();

  constructor(completed: ReadonlyMap<string, StepOutcome> | undefined) {
    for (const outcome of completed?.values() ?? []) {
      if (outcome.suspended) this.#byStep.set(outcome.suspended.stepId, outcome);
    }
  }

  /** Returns the attempt at a step to resume, once. */
  take(stepId: string): Suspended | undefined {
    const outcome = this.#byStep.get(stepId);
    this.#byStep.delete(stepId);
    return outcome?.suspended && { ...outcome.suspended, spans: outcome.spans };
  }

  /** Keeps an attempt for another run. */
  put({ spans, ...suspended }: Suspended): void {
    const stepId = prefix + suspended.stepId;
    this.#byStep.set(suspended.stepId, { stepId, output: null, spans, suspended });
  }

  list(): readonly StepOutcome[] {
    return [...this.#byStep.values()];
  }
}

/** A suspended attempt and its spans, after those of earlier attempts and its own. */
export type Suspended = NonNullable<StepOutcome["suspended"]> & Pick<StepOutcome, "spans">;
