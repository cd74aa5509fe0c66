import { waitFor } from "../client/retry.ts";

/** Iterates every few seconds until the signal aborts. */
export async function* everyFewSeconds(
  seconds: number,
  signal: AbortSignal,
): AsyncGenerator<void, void, undefined> {
  for (;;) {
    try {
      await waitFor(seconds * 1_000, signal);
    } catch {
      return;
    }
    yield;
  }
}
