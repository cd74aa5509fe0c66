/** Orders items after those that they use; items of a cycle keep their order. */
export const sortByUse = <Item>(
  items: readonly Item[],
  getId: (item: Item) => string,
  getUses: (item: Item) => readonly string[],
): Item[] => {
  const byId = new Map(items.map((item) => [getId(item), item]));
  const entered = new Set<string>();
  const ordered: Item[] = [];
  const enter = (item: Item): void => {
    if (entered.has(getId(item))) return;
    entered.add(getId(item));
    for (const id of getUses(item)) {
      const used = byId.get(id);
      if (used !== undefined) enter(used);
    }
    ordered.push(item);
  };
  for (const item of items) enter(item);
  return ordered;
};
