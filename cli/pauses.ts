import { waitFor } from "../client/retry.ts";

const firstPauseMs = 500;
const longestPauseMs = 5_000;

/** Iterates at once, then after pauses that grow from half a second to five. */
export async function* pauses(): AsyncGenerator<void, void, undefined> {
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 1.5)) {
    yield;
    await waitFor(pause, new AbortController().signal);
  }
}
