/**
 * Divides items, in order, into batches of a total weight of at most `most`; a heavier item is
 * alone.
 */
export function* inBatches<Item>(
  items: readonly Item[],
  weigh: (item: Item) => number,
  most: number,
): Generator<Item[]> {
  let batch: Item[] = [];
  let weight = 0;
  for (const item of items) {
    const more = weigh(item);
    if (batch.length > 0 && weight + more > most) {
      yield batch;
      batch = [];
      weight = 0;
    }
    batch.push(item);
    weight += more;
  }
  if (batch.length > 0) yield batch;
}
