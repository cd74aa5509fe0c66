import type { FlowEvent } from "../engine/flow/flow-result.ts";

/**
 * Describes an event of a run to a person who waits for the run: a step starts, ends or fails. Undefined for other events. Texts
 * and errors of steps are left out: a caller of a tool may read its result, not the work of its steps.
 */
export const describeProgress = (event: FlowEvent): string | undefined => {
  const step = `Step "${event.stepId}"`;
  switch (event.type) {
    case "step.started":
      return event.attempt === 1
        ? `${step} has started.`
        : `${step} has started again (attempt ${event.attempt}).`;
    case "step.completed":
      return `${step} has ended.`;
    case "step.failed":
      return `${step} has failed${event.willRetry ? " and will be tried again" : ""}.`;
    case "output.delta":
    case "output.reset":
      return undefined;
  }
};
