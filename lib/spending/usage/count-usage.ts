import type { Cost, TokenCounts } from "../../engine/models/model.ts";
import { addCosts, addTokens, noCost, noTokens } from "../../engine/models/sums.ts";
import { toDay } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { isSameCounter, usageKey } from "./keys.ts";
import { type ModelName, toAttributes, toStoredModel } from "./measures.ts";

/** Usage of one model in an execution. */
export type ModelUsage = ModelName & { tokens: TokenCounts; cost: Cost; priced: boolean };

/** Usage of an execution, by model. */
export type CountedUsage = { models: readonly ModelUsage[] };

/** The members of an execution's record by which its usage is counted. */
export type CountedExecution = {
  id: string;
  agentId: string;
  agentRevision: number;
  startTime: number;
  status: string;
  trigger: { type: number };
};

/**
 * A transaction locks the items that it writes; concurrent ones conflict and are retried. At 1,000
 * ends a second of one agent, one of the eight items takes 125 transactions (250 write units) a
 * second, and one of their four partitions 500 write units.
 */
const shards = 8;

/** Models that one execution counts; an update takes 300 operators, and a model up to 13 of them. */
const maxModelsAtOnce = 20;

/** Models of an item after which it takes no further ones: write units are counted by its size. */
const maxModels = 50;

/** Counter of the models without a counter of their own. No provider id starts with "(". */
const others: ModelName = { providerId: "(others)", modelId: "(others)" };

/**
 * Builds the write that adds an ended execution to the counters of its agent, revision, trigger type and UTC day of
 * start. Models beyond the 20 most expensive are counted as others. Its condition fails when the item has 50
 * models and would get another: `withoutModels` is what can be counted then.
 */
export const countUsage = (
  tenantId: TenantId,
  { id, agentId, agentRevision: revision, startTime, status, trigger }: CountedExecution,
  usage: CountedUsage,
): TransactionWrite => {
  const isFailed = status === "Failed" || status === "TimedOut";
  const executions = { executionCount: 1, failedCount: isFailed ? 1 : 0 };
  const counter = { agentId, revision, trigger: trigger.type };
  return addToCounter(tenantId, { ...counter, id, at: startTime }, executions, usage);
};

/**
 * A counter: of executions, or of usage without an agent. `id`: a uuid, which selects the shard.
 */
export type Counter = {
  readonly agentId: string;
  readonly revision: number;
  readonly trigger: number;
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
};

/** Builds the write that adds executions and the usage of models to a counter; for its condition see `countUsage`. */
export const addToCounter = (
  tenantId: TenantId,
  { agentId, revision, trigger, id, at }: Counter,
  executions: { executionCount: number; failedCount: number },
  usage: CountedUsage,
): TransactionWrite => {
  const shard = Number.parseInt(id.slice(-2), 16) % shards;
  const day = toDay(at);
  const models = foldCheapest(usage.models);
  const counts = [
    ...toAttributes({ ...executions, ...unpriced(models) }, ""),
    ...models.flatMap((model) =>
      toAttributes(
        { ...executions, ...unpriced([model]), ...model.tokens, ...model.cost },
        toStoredModel(model).token,
      ),
    ),
  ];
  return {
    Update: {
      Key: usageKey(tenantId, agentId, { day, revision, trigger, shard }),
      ...addAll(Number(day.slice(8)), counts, models),
    },
  };
};

const unpriced = (models: readonly ModelUsage[]) => ({
  unpricedCount: models.every(({ priced }) => priced) ? 0 : 1,
});

/** Returns a usage with all its models counted as others, which every item takes. */
export const withoutModels = <Usage extends CountedUsage>(usage: Usage): Usage => ({
  ...usage,
  models: usage.models.length === 0 ? [] : [{ ...others, ...sumModelUsage(usage.models) }],
});

const foldCheapest = (models: readonly ModelUsage[]): readonly ModelUsage[] => {
  if (models.length <= maxModelsAtOnce) return models;
  const mostExpensiveFirst = models.toSorted(
    (one, other) => other.cost.totalCost - one.cost.totalCost,
  );
  return [
    ...mostExpensiveFirst.slice(0, maxModelsAtOnce),
    { ...others, ...sumModelUsage(mostExpensiveFirst.slice(maxModelsAtOnce)) },
  ];
};

const sumModelUsage = (
  models: readonly ModelUsage[],
): Pick<ModelUsage, "tokens" | "cost" | "priced"> => ({
  tokens: models.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens),
  cost: models.reduce((sum, { cost }) => addCosts(sum, cost), noCost),
  priced: models.every(({ priced }) => priced),
});

const addAll = (
  dayOfMonth: number,
  counts: readonly [name: string, amount: number][],
  models: readonly ModelName[],
) => {
  const names = models.map((model) => toStoredModel(model).name);
  const areOthers = models.every(({ providerId }) => providerId === others.providerId);
  const isKnown = names.map((_, at) => `contains(m, :m${at})`).join(" AND ");
  const adds = [...counts.map((_, at) => `#${at} :${at}`), ...(names.length > 0 ? ["m :m"] : [])];
  return {
    UpdateExpression: `SET d = :d ADD ${adds.join(",")}`,
    ...(!areOthers && {
      ConditionExpression: `attribute_not_exists(m) OR size(m) < :max OR (${isKnown})`,
    }),
    ExpressionAttributeNames: Object.fromEntries(counts.map(([name], at) => [`#${at}`, name])),
    ExpressionAttributeValues: {
      ":d": dayOfMonth,
      ...Object.fromEntries(counts.map(([, amount], at) => [`:${at}`, amount])),
      ...(names.length > 0 && { ":m": new Set(names) }),
      ...(!areOthers && {
        ":max": maxModels,
        ...Object.fromEntries(names.map((name, at) => [`:m${at}`, name])),
      }),
    },
  };
};

/**
 * Merges two writes of `countUsage` that add to one counter, in the shard of the first; undefined for any other writes, and for too many models. The
 * result adds what both add.
 */
export const mergeCounts = (
  one: TransactionWrite,
  other: TransactionWrite,
): TransactionWrite | undefined => {
  const [first, second] = [one.Update, other.Update];
  if (!first || !second || !isSameCounter(first.Key ?? {}, second.Key ?? {})) return undefined;
  const amounts = sumAmounts([first, second]);
  const models = new Set([...listModels(first), ...listModels(second)]);
  if (models.size > maxModelsAtOnce) return undefined;
  const conditional = [first, second].find(({ ConditionExpression }) => ConditionExpression);
  const names = [...amounts.keys()];
  const known = [...models].map((_, at) => `contains(m, :m${at})`).join(" AND ");
  const adds = [...names.map((_, at) => `#${at} :${at}`), ...(models.size > 0 ? ["m :m"] : [])];
  const values = first.ExpressionAttributeValues ?? {};
  return {
    Update: {
      Key: first.Key,
      UpdateExpression: `SET d = :d ADD ${adds.join(",")}`,
      ...(conditional && {
        ConditionExpression: `attribute_not_exists(m) OR size(m) < :max OR (${known})`,
      }),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#${at}`, name])),
      ExpressionAttributeValues: {
        ":d": values[":d"],
        ...Object.fromEntries([...amounts.values()].map((amount, at) => [`:${at}`, amount])),
        ...(models.size > 0 && { ":m": models }),
        ...(conditional && {
          ":max": conditional.ExpressionAttributeValues?.[":max"],
          ...Object.fromEntries([...models].map((name, at) => [`:m${at}`, name])),
        }),
      },
    },
  };
};

type Update = NonNullable<TransactionWrite["Update"]>;

const sumAmounts = (updates: readonly Update[]): Map<string, number> => {
  const amounts = new Map<string, number>();
  for (const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } of updates) {
    for (const [placeholder, name] of Object.entries(ExpressionAttributeNames)) {
      const amount = Number(ExpressionAttributeValues[placeholder.replace("#", ":")]);
      amounts.set(name, (amounts.get(name) ?? 0) + amount);
    }
  }
  return amounts;
};

const listModels = ({ ExpressionAttributeValues }: Update): string[] => {
  const models: unknown = ExpressionAttributeValues?.[":m"];
  return models instanceof Set ? [...models].map(String) : [];
};
