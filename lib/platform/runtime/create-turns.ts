/** Does work when it has a turn. */
export type TakeTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Returns a function that does at most so many pieces of work at the same time, in the order in which they were asked for. */
export const createTurns = (most: number): TakeTurn => {
  const waiting: (() => void)[] = [];
  let openCount = 0;
  return async (work) => {
    if (openCount < most) openCount += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else openCount -= 1;
    }
  };
};
