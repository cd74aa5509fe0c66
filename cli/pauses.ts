import { waitFor } from "../client/retry.ts";

const firstPauseMs = 500;
const maxPauseMs = 5_000;

/**
 * Iterates immediately, then after pauses that grow from half a second to five, until the signal
 * aborts.
 */
export async function* pauses(
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<void, void, undefined> {
  for (let pause = firstPauseMs; !signal.aborted; pause = Math.min(maxPauseMs, pause * 1.5)) {
    yield;
    try {
      await waitFor(pause, signal);
    } catch {
      return;
    }
  }
}
