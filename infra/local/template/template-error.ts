import type { Stack } from "./assembly.ts";

/** A template says something that the local stack cannot follow; the message names the place. */
export class TemplateError extends Error {
  override name = "TemplateError";
}

/** The error about a place of a stack's template. */
export const fault = (stack: Stack, place: string, what: string): TemplateError =>
  new TemplateError(`template ${stack.name}, ${place}: ${what}`);
