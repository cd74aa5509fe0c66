import type { Stack } from "./assembly.ts";

/** A template uses something that the local stack does not support; the message names the place. */
export class TemplateError extends Error {
  override name = "TemplateError";
}

/** Creates the error for a place in a stack's template. */
export const fault = (stack: Stack, place: string, message: string): TemplateError =>
  new TemplateError(`template ${stack.name}, ${place}: ${message}`);
