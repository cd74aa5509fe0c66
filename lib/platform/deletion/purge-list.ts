/**
 * Removes the items of a list in batches of 100 unless given. Returns "more" when time ran out before the last
 * batch, or `remove` returned "more" for a batch that it did not remove whole.
 */
export const purgeList = async <Item>(
  items: AsyncIterable<Item>,
  remove: (batch: readonly Item[]) => Promise<"done" | "more"> | Promise<void>,
  { isTimeOver, batchSize = 100 }: { isTimeOver: () => boolean; batchSize?: number },
): Promise<"done" | "more"> => {
  const outcomes = new Set<unknown>();
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    outcomes.add(await remove(batch));
    if (isTimeOver()) return "more";
    batch = [];
  }
  if (batch.length > 0) outcomes.add(await remove(batch));
  return outcomes.has("more") ? "more" : "done";
};
