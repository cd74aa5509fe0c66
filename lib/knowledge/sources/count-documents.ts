import { untilAborted } from "../../platform/outgoing/until-aborted.ts";
import type { Charge } from "../../values/text/charge.ts";
import type { SourceDocument } from "../../vendors/source.ts";
import { boundedPieces } from "./bounded-pieces.ts";
import type { Tally } from "./tally.ts";
import type { TokenCounter } from "./token-counter.ts";

/** Limits of a count. */
export type CountingLimit = {
  readonly signal: AbortSignal;
  /** Throws when the time is over; needed because counting blocks timers. */
  readonly check: () => void;
  readonly charge: Charge;
};

/** Thrown when a source has more documents than fit in a response. */
export class TooManyDocuments extends Error {
  override readonly name = "TooManyDocuments";
}

/**
 * Counts a source's documents as they arrive, a bounded piece of text at a time. Throws the source's errors, the
 * signal's reason when it is aborted, and TooManyDocuments.
 */
export const countDocuments = async (
  documents: AsyncIterable<SourceDocument>,
  { tally, count, limit }: { tally: Tally; count: TokenCounter; limit: CountingLimit },
): Promise<void> => {
  for await (const { fileName, text, counts } of inTime(documents, limit)) {
    if (counts) {
      if (!tally.addIndexed(fileName, counts)) throw new TooManyDocuments();
      continue;
    }
    let tokens = 0;
    for await (const piece of inTime(boundedPieces(text), limit)) {
      limit.charge(piece.length);
      tokens += count(piece);
    }
    if (!tally.add(fileName, tokens)) throw new TooManyDocuments();
  }
};

/** Yields the same values, but throws when the signal is aborted, even while it waits for the next one. */
export async function* inTime<Value>(
  values: AsyncIterable<Value>,
  { signal, check }: Pick<CountingLimit, "signal" | "check">,
): AsyncGenerator<Value> {
  const iterator = values[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      check();
      const next = await untilAborted(signal, iterator.next());
      isDone = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: an iterator that hangs ends when its own calls are aborted.
    if (!isDone) void iterator.return?.()?.catch(() => {});
  }
}
