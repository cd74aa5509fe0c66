import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { toDay } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import type { CountedExecution } from "./count-usage.ts";
import { monthScoreLists, scoreCounterKey } from "./keys.ts";
import { hashName } from "./measures.ts";
import { type CounterFilter, listCounters } from "./store.ts";

/**
 * A change of the scores of a name: how many more or fewer, how many of them with a number, and the sum of those in
 * millionths.
 */
export type ScoreChange = { name: string; count: number; numbers: number; sum: number };

/** The scores of a name on one day. */
export type ScoreSum = ScoreChange;

/** As for executions, see `countUsage`: concurrent transactions on an item conflict. */
const shards = 8;

/** Names of an item after which it takes no further ones: write units are counted by its size. */
const maxNames = 50;

/** Name under which the scores are counted that have no counter of their own. */
export const otherScores = "(others)";

/** Whole numbers, so that sums are exact. */
const unitsOfOne = 1_000_000;

/** Returns a score's count, or its removal from the counter. A text has no number. */
export const toChange = (
  name: string,
  value: number | boolean | string,
  by: 1 | -1,
): ScoreChange =>
  typeof value === "string"
    ? { name, count: by, numbers: 0, sum: 0 }
    : { name, count: by, numbers: by, sum: by * Math.round(Number(value) * unitsOfOne) };

/** Returns the mean of the numbers of a name, to six decimals; null without any. */
export const computeScoreMean = ({
  numbers,
  sum,
}: Pick<ScoreSum, "numbers" | "sum">): number | null =>
  numbers === 0 ? null : Math.round(sum / numbers) / unitsOfOne;

/** The counters of scores of a day. */
export const ScoreCounter = z
  .looseObject({ pk: z.string(), sk: z.string(), m: z.set(z.string()).default(new Set()) })
  .transform((item): { day: string; scores: ScoreSum[] } => {
    const [, day = ""] = item.sk.split("#");
    const amount = (name: string) => Number(item[name] ?? 0);
    return {
      day: `${item.pk.split("#")[3]}-${day}`,
      scores: [...item.m].map((name) => {
        const token = hashName(name);
        return {
          name,
          count: amount(`${token}n`),
          numbers: amount(`${token}v`),
          sum: amount(`${token}s`),
        };
      }),
    };
  });
export type ScoreCounter = z.output<typeof ScoreCounter>;

/** TENANT#t#SCORES#month#partition: lists the counters of scores as `listUsage` lists those of executions. */
export const listScoreCounters = (
  db: Database,
  of: CounterFilter,
): AsyncGenerator<ScoreCounter>[] => listCounters(db, ScoreCounter, of, monthScoreLists);

/**
 * Builds the write that changes the counters of scores of an execution's agent, revision and UTC day of start; undefined
 * where nothing changes. Its condition fails when the item has 50 names and would get another: such a score is counted
 * as `otherScores`.
 */
export const countScores = (
  tenantId: TenantId,
  { id, agentId, agentRevision: revision, startTime }: Omit<CountedExecution, "status" | "trigger">,
  changes: readonly ScoreChange[],
): TransactionWrite | undefined => {
  const sums = sumByName(changes);
  if (sums.length === 0) return undefined;
  const day = toDay(startTime);
  const shard = Number.parseInt(id.slice(-2), 16) % shards;
  const adds = sums.flatMap(({ name, count, numbers, sum }) => {
    const token = hashName(name);
    return [
      [`${token}n`, count],
      [`${token}v`, numbers],
      [`${token}s`, sum],
    ] as const;
  });
  const names = sums.map(({ name }) => name);
  const areOthers = names.every((name) => name === otherScores);
  return {
    Update: {
      Key: scoreCounterKey(tenantId, agentId, { day, revision, shard }),
      UpdateExpression: `SET d = :d ADD ${adds.map((_, at) => `#${at} :${at}`).join(", ")}, m :m`,
      ...(!areOthers && {
        ConditionExpression: `attribute_not_exists(m) OR size(m) < :max OR (${names.map((_, at) => `contains(m, :m${at})`).join(" AND ")})`,
      }),
      ExpressionAttributeNames: Object.fromEntries(adds.map(([name], at) => [`#${at}`, name])),
      ExpressionAttributeValues: {
        ":d": Number(day.slice(8)),
        ":m": new Set(names),
        ...Object.fromEntries(adds.map(([, amount], at) => [`:${at}`, amount])),
        ...(!areOthers && {
          ":max": maxNames,
          ...Object.fromEntries(names.map((name, at) => [`:m${at}`, name])),
        }),
      },
    },
  };
};

/** Adds up changes by name; leaves out names with an unchanged counter. */
const sumByName = (changes: readonly ScoreChange[]): ScoreChange[] =>
  [...Map.groupBy(changes, ({ name }) => name)]
    .map(([name, changes]) => ({
      name,
      count: changes.reduce((sum, { count }) => sum + count, 0),
      numbers: changes.reduce((sum, { numbers }) => sum + numbers, 0),
      sum: changes.reduce((sum, change) => sum + change.sum, 0),
    }))
    .filter(({ count, numbers, sum }) => count !== 0 || numbers !== 0 || sum !== 0);
