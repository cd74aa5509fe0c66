import { sumMeasures } from "./measures.ts";
import type { Usage } from "./read-usage.ts";
import type { ModelUsageEntry, RevisionCost } from "./schemas.ts";

/** Sums the usage of a revision, or of all revisions (0), to its cost. */
export const toRevisionCost = (
  agentId: string,
  revision: number,
  usages: readonly Usage[],
): RevisionCost => {
  const { inputCost, outputCost, totalCost, inputTokens, outputTokens } = sumMeasures(
    usages.flatMap(({ models }) => models),
  );
  const { executionCount, unpricedCount } = sumMeasures(usages.map(({ executions }) => executions));
  const costs = { inputCost, outputCost, totalCost };
  return { agentId, revision, ...costs, executionCount, unpricedCount, inputTokens, outputTokens };
};

/** Sums the usage to one entry per provider and model, by cost descending, then by name. */
export const toModelUsages = (revision: number, usages: readonly Usage[]): ModelUsageEntry[] => {
  const byModel = Map.groupBy(
    usages.flatMap(({ models }) => models),
    ({ providerId, modelId }) => JSON.stringify([providerId, modelId]),
  );
  return [...byModel.values()]
    .map((calls) => {
      const { failedCount: _f, cachedCost: _c, thinkingCost: _t, ...sums } = sumMeasures(calls);
      const { providerId = "", modelId = "" } = calls[0] ?? {};
      return { revision, modelId, providerId, ...sums };
    })
    .toSorted(
      (one, other) =>
        other.totalCost - one.totalCost ||
        `${one.providerId}/${one.modelId}`.localeCompare(`${other.providerId}/${other.modelId}`),
    );
};
