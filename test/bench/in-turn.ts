/** How often, and for how long at most; what is under way then is still finished. */
export type Effort = { turns: number; seconds: number };

/** Runs each work once a turn, so that what disturbs one disturbs all; at least one turn. */
export const inTurn = async (
  works: readonly (() => Promise<unknown>)[],
  { turns, seconds }: Effort,
): Promise<void> => {
  const end = performance.now() + seconds * 1_000;
  for (let turn = 0; turn < turns && (turn === 0 || performance.now() < end); turn += 1) {
    for (const work of works) await work();
  }
};
