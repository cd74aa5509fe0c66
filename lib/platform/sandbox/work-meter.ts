import { SandboxLimitError } from "./sandbox-error.ts";

/** Steps of work on a tenant's text outside the sandbox that count as one millisecond. */
const stepsPerMs = 10_000;

/**
 * Counts the steps of work on a tenant's text that runs outside the sandbox, and charges them to a budget.
 * A step takes a bounded time, such as looking at one member of an object, so the count is the limit.
 */
export class WorkMeter {
  readonly #payer: { readonly remainingMs: number; spend(ms: number): void };
  #left: number;

  constructor(payer: { readonly remainingMs: number; spend(ms: number): void }, maxSteps: number) {
    this.#payer = payer;
    this.#left = maxSteps;
  }

  /** Charges steps before they are taken. Throws a SandboxLimitError when there are too many. */
  charge(steps: number): void {
    this.#left -= steps;
    this.#payer.spend(steps / stepsPerMs);
    if (this.#left < 0) throw new SandboxLimitError("time");
    if (this.#payer.remainingMs <= 0) throw new SandboxLimitError("total");
  }
}
