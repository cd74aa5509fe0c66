import type { FlowEvent } from "../engine/flow/flow-result.ts";

/** A text that a model writes is reported at most this often. */
const textPauseMs = 500;
/** Characters of it that a report has: its last ones. */
const maxTextLength = 500;

/**
 * Describes the events of a run for the people who wait for it: the steps as they start, end and fail, and the text that a model
 * has written so far. Returns undefined for an event that is not reported.
 */
export const describeProgress = (
  clock: () => number,
): ((event: FlowEvent) => string | undefined) => {
  const texts = new Map<string, { text: string; reportedAt: number }>();
  return (event) => {
    const { type, stepId } = event;
    switch (type) {
      case "step.started":
        return event.attempt === 1
          ? `Step "${stepId}" has started.`
          : `Step "${stepId}" has started again (attempt ${event.attempt}).`;
      case "output.delta": {
        const { text: before = "", reportedAt = 0 } = texts.get(stepId) ?? {};
        const text = (before + event.text).slice(-maxTextLength);
        const now = clock();
        const isDue = now - reportedAt >= textPauseMs;
        texts.set(stepId, { text, reportedAt: isDue ? now : reportedAt });
        return isDue ? text : undefined;
      }
      case "output.reset":
        texts.delete(stepId);
        return undefined;
      case "step.completed":
        return `Step "${stepId}" has ended.`;
      case "step.failed":
        return event.willRetry
          ? `Step "${stepId}" has failed, and is tried again: ${event.error.detail}`
          : `Step "${stepId}" has failed: ${event.error.detail}`;
    }
  };
};
