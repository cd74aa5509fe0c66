import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { callsAfterEnd, experimentsKey, knowledgeKey } from "./count-other-usage.ts";
import { type Measures, noMeasures, sumMeasures } from "./measures.ts";
import type { UsageGroup, UsageItem, UsageReport } from "./schemas.ts";
import { computeScoreMean, listScoreCounters, type ScoreSum } from "./score-counter.ts";
import {
  type CounterFilter,
  type Days,
  listUsage,
  readAtOnce,
  type UsageCounter,
} from "./store.ts";

const maxDays = 366;
const dayMs = 24 * 3_600_000;

/** Counters that one report sums: about 30 MB, which are read within a few seconds. */
const maxCounters = 100_000;

/**
 * Sums the usage of a tenant, or of one agent, by UTC day and group. Usage of deleted agents is included. Throws 400 for a
 * wrong range, and for a report that is too large.
 */
export const reportUsage = async (
  db: Database,
  tenantId: TenantId,
  { from, to, groupBy, agent }: Days & { groupBy: UsageGroup; agent?: string | undefined },
): Promise<UsageReport> => {
  checkDays({ from, to });
  const of = { tenantId, from, to, agentId: agent };
  const items = groupBy === "score" ? reportScores(db, of) : sumGroups(db, of, groupBy);
  const report = { items: (await items).toSorted(byDateAndKey) };
  if (responseBytes(report) > maxResponseBytes) throw tooLarge();
  return report;
};

const sumGroups = async (
  db: Database,
  { tenantId, ...of }: CounterFilter,
  groupBy: Exclude<UsageGroup, "score">,
): Promise<UsageItem[]> => {
  const groups = new Map<string, { date: string; key: string; measures: Measures }>();
  let counters = 0;
  await readAtOnce(listUsage(db, tenantId, of), (counter) => {
    counters += 1;
    if (counters > maxCounters) throw tooLarge();
    for (const { key, measures } of splitByGroup(counter, groupBy)) {
      const date = counter.day;
      const sum = groups.get(`${date} ${key}`)?.measures ?? noMeasures;
      groups.set(`${date} ${key}`, { date, key, measures: sumMeasures([sum, measures]) });
    }
  });
  return [...groups.values()].map(toItem);
};

const checkDays = ({ from, to }: Days): void => {
  if (from > to) {
    throw validationFailed([{ pointer: "query/from", detail: "must not be after to" }]);
  }
  if ((Date.parse(to) - Date.parse(from)) / dayMs >= maxDays) {
    const detail = `must be within ${maxDays} days of from, both inclusive`;
    throw validationFailed([{ pointer: "query/to", detail }]);
  }
};

const tooLarge = () => {
  const detail = "covers too much usage for one response: choose fewer days, or one agent";
  return validationFailed([{ pointer: "query/to", detail }]);
};

/** Counters of usage without an agent. */
const noAgents: ReadonlySet<string> = new Set([knowledgeKey, experimentsKey]);

/** Keys of the triggers of calls in the background. */
const backgroundKeys: Readonly<Record<number, string>> = {
  ...Object.fromEntries(Object.values(callsAfterEnd).map(({ trigger, key }) => [trigger, key])),
};

type Part = { key: string; measures: Partial<Measures> };

/** Returns what a counter adds to each group. By model, an execution counts once for each model that it called. */
const splitByGroup = (counter: UsageCounter, groupBy: Exclude<UsageGroup, "score">): Part[] => {
  const { agentId, revision, trigger, executions, models } = counter;
  const whole = (key: string): Part[] => [
    { key, measures: { ...sumMeasures(models), ...executions } },
  ];
  if (noAgents.has(agentId) && groupBy !== "model") return whole(agentId);
  switch (groupBy) {
    case "agent":
      return whole(agentId);
    case "revision":
      return whole(`${agentId}/${revision}`);
    case "trigger":
      return whole(backgroundKeys[trigger] ?? String(trigger));
    case "model":
      return models.map(({ providerId, modelId, ...measures }) => ({
        key: `${providerId}/${modelId}`,
        measures,
      }));
  }
};

const toItem = ({
  date,
  key,
  measures: { cachedCost: _cached, thinkingCost: _thinking, ...shown },
}: {
  date: string;
  key: string;
  measures: Measures;
}): UsageItem => ({ date, key, ...shown });

const byDateAndKey = (one: UsageItem, other: UsageItem): number =>
  one.date < other.date || (one.date === other.date && one.key < other.key) ? -1 : 1;

/** Sums the scores of a tenant, or of one agent, by UTC day and name. */
const reportScores = async (db: Database, of: CounterFilter): Promise<UsageItem[]> => {
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
  return [...groups.values()].filter(({ count }) => count > 0).map(toScoreItem);
};

const toScoreItem = ({
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
