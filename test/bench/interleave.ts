/** Limits of a measurement; a turn in progress is finished. */
export type Effort = { turns: number; seconds: number };

/** Runs each work once per turn, so that a busy machine affects all alike; at least one turn. */
export const interleave = async (
  works: readonly (() => Promise<unknown>)[],
  { turns, seconds }: Effort,
): Promise<void> => {
  const end = performance.now() + seconds * 1_000;
  for (let turn = 0; turn < turns && (turn === 0 || performance.now() < end); turn += 1) {
    for (const work of works) await work();
  }
};
