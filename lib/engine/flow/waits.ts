import type { Json } from "../../values/json/json.ts";

/** A wait that a step requests. `until`: when it ends without an answer, Unix milliseconds. */
export type WaitRequest = { readonly kind: "Timer"; readonly until: number };

/** An open wait. */
export type OpenWait = WaitRequest & {
  /** Where in the run it waits, the same in every run of the execution: the id of a step or of an item. */
  readonly path: string;
};

/** The end of a wait. Times in Unix milliseconds. */
export type WaitEnd = {
  readonly since: number;
  readonly at: number;
  /** The answer that it waited for; absent where its time ended it. */
  readonly answer?: Json;
};

/** The waits of an execution. */
export type Waits = {
  /** Those that ended before the run, by path. */
  readonly ended: ReadonlyMap<string, WaitEnd>;
  /** When those end that were opened before the run and have not ended, by path. Unix milliseconds. */
  readonly opened: ReadonlyMap<string, number>;
  /**
   * Opens a wait that a step has reached. Resolves if it ends while other steps run; `over` is aborted when nothing else
   * can run, and when the run stops. Throws a StepError when there are too many.
   */
  open(wait: OpenWait, over: AbortSignal): Promise<WaitEnd>;
};
