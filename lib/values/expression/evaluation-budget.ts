import { LimitError } from "./expression-error.ts";
import type { SizeCache } from "./size-cache.ts";

/** Default maximum bytes of JSON of a template's result. */
export const maxResultBytes = 1024 * 1024;
/** Maximum bytes of JSON of the results of one value's templates together. */
export const maxDeepBytes = 8 * 1024 * 1024;
/** Maximum bytes of JSON of any intermediate value. */
export const maxValueBytes = 16 * 1024 * 1024;
/** Maximum characters and array members (8 per member) that one evaluation may create in total. */
const maxUnits = 64 * 1024 * 1024;

/** The memory budget of one evaluation; the sandbox limits its time. */
export class EvaluationBudget {
  readonly sizes: SizeCache;
  readonly clock: () => number;
  readonly #remember: boolean;
  readonly #copies = new WeakMap<object, WeakSet<object>>();
  #units = maxUnits;
  #stopped = false;

  constructor(sizes: SizeCache, clock: () => number, remember: boolean) {
    this.sizes = sizes;
    this.clock = clock;
    this.#remember = remember;
  }

  /** Stops parts that are still evaluated, such as the neighbors of a failed one. */
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

  /** Records a copy that a transform may change, and the objects in it. */
  addCopy(root: object, objects: WeakSet<object>): void {
    this.#copies.set(root, objects);
  }

  /** Returns the objects of a copy that a transform may change. */
  getCopiedObjects(root: unknown): WeakSet<object> | undefined {
    return typeof root === "object" && root !== null ? this.#copies.get(root) : undefined;
  }

  /** Charges the result of a native function. */
  spendResult(result: unknown): void {
    if (typeof result === "string") this.spend(result.length);
    else if (Array.isArray(result)) this.spend(result.length * 8);
  }

  /** Charges the result of a node of the expression. */
  note(result: unknown): void {
    if (typeof result === "string" && result.length > maxValueBytes) {
      throw new LimitError(`makes a value of more than ${maxValueBytes} bytes`);
    }
    if (typeof result !== "object" || result === null) return;
    if (!this.sizes.has(result)) this.spend(Array.isArray(result) ? result.length * 8 : 64);
    this.sizes.note(result, this.#remember);
  }
}
