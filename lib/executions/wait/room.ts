/** Creates a number of places for names; `held`: names that have one. A name that finds none is next when one is left. */
export const createRoom = (places: number, held: Iterable<string>) => {
  const inside = new Set(held);
  const queue = new Map<string, () => void>();
  return {
    /** Takes a place; returns undefined with one, otherwise a promise that resolves then. */
    enter: (name: string): Promise<void> | undefined => {
      if (inside.has(name)) return undefined;
      if (inside.size < places) {
        inside.add(name);
        return undefined;
      }
      return new Promise((resolve) => queue.set(name, resolve));
    },
    /** Gives the place of a name back, or stops waiting for one. */
    leave: (name: string): void => {
      queue.delete(name);
      if (!inside.delete(name)) return;
      const [next] = queue;
      if (!next) return;
      const [nextName, goOn] = next;
      queue.delete(nextName);
      inside.add(nextName);
      goOn();
    },
  };
};
