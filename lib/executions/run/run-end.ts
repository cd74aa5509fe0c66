import type { RunOutcome } from "../record/results.ts";

/**
 * The end of a run: the outcome of its execution, its wait, or "open" when another run continues it. `waitsUntil`: the
 * earliest end of its wait, Unix milliseconds.
 */
export type RunEnd = RunOutcome | { waitsUntil: number; approvals: readonly string[] } | "open";

/** Returns the outcome of a run that ended its execution; undefined for other runs. */
export const toFinalOutcome = (end: RunEnd): RunOutcome | undefined =>
  end === "open" || "waitsUntil" in end ? undefined : end;
