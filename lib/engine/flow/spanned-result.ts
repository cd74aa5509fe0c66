import type { FlowError, Span } from "./flow-result.ts";
import type { StepFailure, StepResult } from "./step-type.ts";

/** The failure of a step. */
export type Failure = {
  readonly status: "failed";
  readonly error: FlowError;
  /** Milliseconds before which a retry fails again. */
  readonly retryAfterMs: number;
  /** Neither a retry nor other items can succeed. */
  readonly isFatal: boolean;
  /** The failure as expressions read it, if its edges with `on: "error"` are taken. */
  readonly handled?: StepFailure;
};

/** The outcome of a step, with the spans of its attempts. */
export type SpannedResult = { readonly spans: readonly Span[] } & (
  | { readonly status: "done"; readonly result: StepResult }
  | Failure
  | { readonly status: "stopped" }
  /** It runs again when a wait has ended. */
  | { readonly status: "waiting" }
);
