const atOnce = 16;

/** Reads lists to their ends, at most 16 at a time, and visits every item. A visitor that throws ends it. */
export const readAtOnce = async <Item>(
  lists: readonly AsyncIterable<Item>[],
  visit: (item: Item) => void,
): Promise<void> => {
  const rest = lists.values();
  const readNext = async (): Promise<void> => {
    for (const list of rest) for await (const item of list) visit(item);
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
};
