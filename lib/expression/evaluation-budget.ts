import { LimitError } from "./expression-error.ts";
import type { SizeBook } from "./size-book.ts";

/** Bytes of JSON that one template may give, unless told otherwise. */
export const maxResultBytes = 1024 * 1024;
/** Bytes of JSON that the templates of one value may give together. */
export const maxDeepBytes = 8 * 1024 * 1024;
/** Bytes of JSON that any one value may take on the way to the result. */
export const maxValueBytes = 16 * 1024 * 1024;
/** Characters and array members (8 each) that one evaluation may make in all. */
const maxUnits = 64 * 1024 * 1024;

/** What one evaluation has used of its memory; its time is limited from outside, by the sandbox. */
export class EvaluationBudget {
  readonly book: SizeBook;
  readonly clock: () => number;
  readonly #remember: boolean;
  #units = maxUnits;
  #stopped = false;

  constructor(book: SizeBook, clock: () => number, remember: boolean) {
    this.book = book;
    this.clock = clock;
    this.#remember = remember;
  }

  /** Ends what is still going on, such as the neighbours of a part that failed. */
  stop(): void {
    this.#stopped = true;
  }

  check(): void {
    if (this.#stopped) throw new LimitError("was stopped");
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
