import { untilAborted } from "../../platform/outgoing/until-aborted.ts";
import { boundedPieces } from "./bounded-pieces.ts";
import type { Charge, SourceDocument } from "./source.ts";
import type { Tally } from "./tally.ts";
import type { TokenCounter } from "./token-counter.ts";

/** When to stop. */
export type TimeLimit = {
  readonly signal: AbortSignal;
  /** Throws when the time is over: while something is counted, no timer rings. */
  readonly check: () => void;
  readonly charge: Charge;
};

/** A source has more documents than an answer holds. */
export class TooManyDocuments extends Error {
  override readonly name = "TooManyDocuments";
}

/**
 * Counts the documents of a source one by one as they come, a bounded piece of one text at a time. Throws what
 * the source throws, the signal's reason when it is aborted, and TooManyDocuments.
 */
export const countDocuments = async (
  documents: AsyncIterable<SourceDocument>,
  { tally, count, limit }: { tally: Tally; count: TokenCounter; limit: TimeLimit },
): Promise<void> => {
  for await (const { fileName, text } of inTime(documents, limit)) {
    let tokens = 0;
    for await (const piece of inTime(boundedPieces(text), limit)) {
      limit.charge(piece.length);
      tokens += count(piece);
    }
    if (!tally.add(fileName, tokens)) throw new TooManyDocuments();
  }
};

/** The same values; ends in time also when the next one never comes. */
async function* inTime<Value>(
  values: AsyncIterable<Value>,
  { signal, check }: TimeLimit,
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
    // One that hangs cannot be waited for: it ends when its own calls are aborted.
    if (!isDone) void iterator.return?.()?.catch(() => {});
  }
}
