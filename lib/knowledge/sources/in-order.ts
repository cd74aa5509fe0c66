/**
 * Does work for each item, some of it at once, and gives what came of it in the items' order. At most `width`
 * results are under way or waiting. The first failure is thrown when its turn comes.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  for await (const item of items) {
    const working = work(item);
    // It may fail while others are waited for.
    working.catch(() => {});
    waiting.push(working);
    if (waiting.length < width) continue;
    const first = waiting.shift();
    if (first) yield await first;
  }
  for (const working of waiting) yield await working;
}
