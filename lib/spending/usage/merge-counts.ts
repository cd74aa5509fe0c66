import type { TransactionWrite } from "../../platform/db/transaction-write.ts";
import { maxModelsAtOnce } from "./count-usage.ts";
import { isSameCounter } from "./keys.ts";

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
