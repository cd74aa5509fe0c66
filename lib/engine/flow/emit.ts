import type { FlowEvent, FlowOptions } from "./flow-result.ts";

/** Tells the listener of a run; one that fails does not harm the flow. */
export function emit(run: { readonly options: FlowOptions }, event: FlowEvent): void {
  try {
    run.options.emit?.(event);
  } catch {
    // A closed connection to whoever listens is no reason to end the flow.
  }
}
