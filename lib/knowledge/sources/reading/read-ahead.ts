import { inOrder } from "../in-order.ts";
import type { SourceDocument } from "../source.ts";

/** How many things of a source are read at a time. Notion, the strictest, allows three calls a second. */
export const readersAtOnce = 4;

/** The same documents; while one is read to its end, those behind it have begun. */
export const readAhead = (
  documents: AsyncIterable<SourceDocument>,
): AsyncGenerator<SourceDocument> =>
  inOrder(documents, readersAtOnce, async ({ fileName, text }) => ({
    fileName,
    text: Symbol.asyncIterator in text ? begin(text) : text,
  }));

function begin(text: AsyncIterable<string>): AsyncIterable<string> {
  const iterator = text[Symbol.asyncIterator]();
  const first = iterator.next();
  // It may fail while others are waited for.
  first.catch(() => {});
  return goOn(first, iterator);
}

async function* goOn(
  first: Promise<IteratorResult<string>>,
  iterator: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let next = await first; !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
