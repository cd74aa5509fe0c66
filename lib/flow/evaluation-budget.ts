import { LimitError } from "./expression-error.ts";
import type { SizeBook } from "./size-book.ts";

/** How long one expression may run. */
export const maxEvaluationMs = 1_000;
/** Bytes of JSON that any one value may take on the way to the result. */
export const maxValueBytes = 16 * 1024 * 1024;
/** Characters and array members (8 each) that one evaluation may make in all. */
const maxUnits = 64 * 1024 * 1024;

/** What one evaluation has used of its time and memory. */
export class EvaluationBudget {
  readonly book: SizeBook;
  readonly clock: () => number;
  readonly #started: number;
  readonly #remember: boolean;
  #units = maxUnits;
  #stopped = false;

  constructor(book: SizeBook, clock: () => number, remember: boolean) {
    this.book = book;
    this.clock = clock;
    this.#remember = remember;
    this.#started = performance.now();
  }

  /** Milliseconds that are left. */
  get remainingMs(): number {
    return maxEvaluationMs - (performance.now() - this.#started);
  }

  /** Ends what is still going on, such as the neighbours of a part that failed. */
  stop(): void {
    this.#stopped = true;
  }

  check(): void {
    if (this.#stopped) throw new LimitError("was stopped");
    if (this.remainingMs < 0) throw new LimitError("takes longer than it may");
  }

  spend(units: number): void {
    this.#units -= units;
    if (this.#units < 0) {
      throw new LimitError("makes too many values; use $join or $append on fewer, larger parts");
    }
  }

  /** Charges what a native function made. */
  spendResult(result: unknown): void {
    if (typeof result === "string") this.spend(result.length);
    else if (Array.isArray(result)) this.spend(result.length * 8);
  }

  /** Takes note of what a node of the expression gave. */
  note(result: unknown): void {
    if (typeof result === "string" && result.length > maxValueBytes) {
      throw new LimitError(`makes a value of more than ${maxValueBytes} bytes`);
    }
    if (typeof result !== "object" || result === null) return;
    if (!this.book.has(result)) this.spend(Array.isArray(result) ? result.length * 8 : 64);
    this.book.measure(result, this.#remember);
  }
}
