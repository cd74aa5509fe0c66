import type { Database } from "../../platform/db/database.ts";
import { noMeasures } from "./measures.ts";
import type { UsageItem } from "./schemas.ts";
import { computeScoreMean, listScoreCounters, type ScoreSum } from "./score-counter.ts";
import { type CounterFilter, readAtOnce } from "./store.ts";

/** Sums the scores of a tenant, or of one agent, by UTC day and name. */
export const reportScores = async (db: Database, of: CounterFilter): Promise<UsageItem[]> => {
  const groups = new Map<string, ScoreSum & { date: string }>();
  await readAtOnce(listScoreCounters(db, of), ({ day: date, scores }) => {
    for (const { name, count, numbers, sum } of scores) {
      const before = groups.get(`${date} ${name}`) ?? { count: 0, numbers: 0, sum: 0 };
      groups.set(`${date} ${name}`, {
        date,
        name,
        count: before.count + count,
        numbers: before.numbers + numbers,
        sum: before.sum + sum,
      });
    }
  });
  return [...groups.values()].filter(({ count }) => count > 0).map(toItem);
};

const toItem = ({
  date,
  name: key,
  count,
  numbers,
  sum,
}: ScoreSum & { date: string }): UsageItem => {
  const { cachedCost: _cached, thinkingCost: _thinking, ...none } = noMeasures;
  return {
    date,
    key,
    ...none,
    executionCount: count,
    meanScore: computeScoreMean({ numbers, sum }),
  };
};
