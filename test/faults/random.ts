/** Seeded random numbers: the same seed gives the same sequence. */
export type Random = {
  /** At least 0, less than 1. */
  next: () => number;
  /** A whole number from 0 to `below - 1`. */
  below: (below: number) => number;
  /** One of several; throws for none. */
  pick: <Item>(items: readonly Item[]) => Item;
};

/** Creates the mulberry32 generator. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("there is nothing to pick from");
      return item;
    },
  };
};
