/** Orders items so that each follows those that it uses; items of a cycle are in the order in which they were given. */
export const inOrderOfUse = <Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  usesOf: (item: Item) => readonly string[],
): Item[] => {
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const entered = new Set<string>();
  const ordered: Item[] = [];
  const enter = (item: Item): void => {
    if (entered.has(idOf(item))) return;
    entered.add(idOf(item));
    for (const id of usesOf(item)) {
      const used = byId.get(id);
      if (used !== undefined) enter(used);
    }
    ordered.push(item);
  };
  for (const item of items) enter(item);
  return ordered;
};
