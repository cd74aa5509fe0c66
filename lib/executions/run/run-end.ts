import type { RunOutcome } from "../record/results.ts";

/** The end of a run after which its execution waits, until this time at least. Unix milliseconds. */
export type WaitingOutcome = { waitsUntil: number };

/** The end of a run: the outcome of its execution, its wait, or "open" when another run continues it. */
export type RunEnd = RunOutcome | WaitingOutcome | "open";

/** Returns the outcome of a run that ended its execution; undefined for other runs. */
export const toFinalOutcome = (end: RunEnd): RunOutcome | undefined =>
  end === "open" || "waitsUntil" in end ? undefined : end;
