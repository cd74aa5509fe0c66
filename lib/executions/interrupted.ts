import type { Span, StepOutcome } from "../engine/flow/flow-result.ts";

/** No step id starts with it. */
const prefix = "~";

/**
 * Keeps the spans of steps that a handed-over run did not finish, under an id that no step has: the steps run
 * again, but their usage is counted.
 */
export const interrupted = (runId: string, spans: readonly Span[]): StepOutcome => ({
  stepId: prefix + runId,
  output: null,
  spans,
});

/** Returns whether an outcome holds the spans of unfinished steps. */
export const isInterrupted = ({ stepId }: StepOutcome): boolean => stepId.startsWith(prefix);
