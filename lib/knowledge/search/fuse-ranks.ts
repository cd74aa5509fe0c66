/** Constant of reciprocal rank fusion. https://plg.uwaterloo.ca/~gvcormac/cormacksigir09-rrf.pdf */
const damping = 60;

/**
 * Joins scores of the same candidates by reciprocal rank fusion: the higher the ranks of a
 * candidate, the higher its result. Equal scores share the best rank of them; a score of 0 has no
 * rank. Returns numbers from 0 to 1, where 1 is the first in all.
 */
export const fuseRanks = (scores: readonly (readonly number[])[]): number[] => {
  const most = scores.length / (damping + 1);
  const ranked = scores.map(toRanks);
  return (scores[0] ?? []).map((_, at) => {
    const sum = ranked.reduce((total, ranks) => {
      const rank = ranks[at];
      return rank === undefined ? total : total + 1 / (damping + rank);
    }, 0);
    return sum / most;
  });
};

/** Returns each candidate's rank from 1; undefined for a score of 0. */
const toRanks = (scores: readonly number[]): (number | undefined)[] => {
  const sorted = scores.filter((score) => score > 0).toSorted((one, other) => other - one);
  const first = new Map<number, number>();
  for (const [at, score] of sorted.entries()) if (!first.has(score)) first.set(score, at + 1);
  return scores.map((score) => first.get(score));
};
