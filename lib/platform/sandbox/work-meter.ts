import { SandboxLimitError } from "./sandbox-error.ts";

/** Steps of work outside the sandbox that count as one millisecond. */
const stepsPerMs = 10_000;

/**
 * Counts the steps of work on a tenant's text that runs outside the sandbox, and charges them to a budget.
 * A step takes bounded time, such as reading one member of an object.
 */
export class WorkMeter {
  readonly #payer: { readonly remainingMs: number; spend(ms: number): void };
  #left: number;

  constructor(payer: { readonly remainingMs: number; spend(ms: number): void }, maxSteps: number) {
    this.#payer = payer;
    this.#left = maxSteps;
  }

  /** Charges steps before they run. Throws a SandboxLimitError when the budget is exhausted. */
  charge(steps: number): void {
    this.#left -= steps;
    this.#payer.spend(steps / stepsPerMs);
    if (this.#left < 0) throw new SandboxLimitError("time");
    if (this.#payer.remainingMs <= 0) throw new SandboxLimitError("total");
  }
}
