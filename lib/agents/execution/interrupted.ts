import type { Span, StepOutcome } from "../../engine/flow/flow-result.ts";

/** No step's id begins with it. */
const prefix = "~";

/**
 * What a run that is handed over had done in steps that it did not finish. They are begun again, but what
 * they had used was spent: it is kept among the finished steps, under an id that no step has.
 */
export const interrupted = (runId: string, spans: readonly Span[]): StepOutcome => ({
  stepId: prefix + runId,
  output: null,
  spans,
});

/** Whether what is kept is no finished step. */
export const isInterrupted = ({ stepId }: StepOutcome): boolean => stepId.startsWith(prefix);
