import { waitFor } from "../client/retry.ts";
import type { Io } from "./io.ts";

/** Iterates every few seconds until Ctrl-C. */
export async function* everyFewSeconds(
  seconds: number,
  { interrupt }: Pick<Io, "interrupt">,
): AsyncGenerator<void, void, undefined> {
  const signal = interrupt();
  for (;;) {
    try {
      await waitFor(seconds * 1_000, signal);
    } catch {
      return;
    }
    yield;
  }
}
