/**
 * Maps items concurrently and yields the results in the items' order. At most `width` results are pending or
 * buffered. A failure is thrown in its item's turn.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  for await (const item of items) {
    const working = work(item);
    // Prevents an unhandled rejection before its turn.
    working.catch(() => {});
    waiting.push(working);
    if (waiting.length < width) continue;
    const first = waiting.shift();
    if (first) yield await first;
  }
  for (const working of waiting) yield await working;
}
