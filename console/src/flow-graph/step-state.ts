/** State of a step of an execution. */
export type StepState = {
  status: "Running" | "Succeeded" | "Failed" | "Cancelled" | "Skipped";
  /** Text that a model has made so far. */
  text?: string | undefined;
  durationMs?: number | undefined;
  tokens?: number | undefined;
  cost?: number | undefined;
  /** False if a model that it called has no price. */
  priced?: boolean | undefined;
  /** Iterations of a ForEach that have ended. */
  items?: { count: number; failed: number } | undefined;
  input?: unknown;
  output?: unknown;
  error?: string | undefined;
};

/** States of steps, by id. */
export type StepStates = ReadonlyMap<string, StepState>;

/** Mark of a step in a comparison, or of a pinned output. */
export type StepMark = "added" | "removed" | "changed" | "pinned";
