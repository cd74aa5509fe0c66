import type { SourceContext, SourceDocument } from "../../source.ts";
import { mapInOrder } from "./map-in-order.ts";

/** Concurrent reads of a source. Notion, the strictest, allows three calls a second. */
export const readersAtOnce = 4;

/** Yields the same documents, but starts reading the next ones while one is read. Skipped ones have no text. */
export const readAhead = (
  documents: AsyncIterable<SourceDocument>,
  { skip }: Pick<SourceContext, "skip"> = {},
): AsyncGenerator<SourceDocument> =>
  mapInOrder(documents, readersAtOnce, async (document) => {
    if (skip?.(document)) return { ...document, text: [] };
    const { text } = document;
    return { ...document, text: Symbol.asyncIterator in text ? prefetch(text) : text };
  });

const prefetch = (text: AsyncIterable<string>): AsyncIterable<string> => {
  const iterator = text[Symbol.asyncIterator]();
  const first = iterator.next();
  // Prevents an unhandled rejection before its turn.
  first.catch(() => {});
  return resume(first, iterator);
};

async function* resume(
  first: Promise<IteratorResult<string>>,
  iterator: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let next = await first; !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
