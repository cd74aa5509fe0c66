import type { InputProblem } from "./check-inputs.ts";

/** Formats invalid inputs as one line. */
export const formatInputProblems = (errors: readonly InputProblem[]): string =>
  errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; ");
