import type { FlowEvent, FlowOptions } from "./flow-result.ts";

/** Sends an event to the listener of a run; a failing listener does not affect the flow. */
export const emit = (run: { readonly options: FlowOptions }, event: FlowEvent): void => {
  try {
    run.options.emit?.(event);
  } catch {
    // A closed connection to the listener must not end the flow.
  }
};
