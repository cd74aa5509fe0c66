import { dollars } from "../../engine/models/sums.ts";
import type { ModelUsageEntry, RevisionCost } from "../revision/schemas.ts";
import type { UsageCounter } from "./store.ts";

const sum = (counters: readonly UsageCounter[]) => {
  const total = (name: keyof Omit<UsageCounter, "providerId" | "modelId">): number =>
    counters.reduce((amount, counter) => amount + counter[name], 0);
  return {
    executionCount: total("executionCount"),
    inputTokens: total("inputTokens"),
    outputTokens: total("outputTokens"),
    cachedTokens: total("cachedTokens"),
    thinkingTokens: total("thinkingTokens"),
    inputCost: dollars(total("inputCost")),
    outputCost: dollars(total("outputCost")),
    totalCost: dollars(total("totalCost")),
  };
};

/** Sums the counters of a revision, or of all revisions (0), to its cost. */
export const toRevisionCost = (
  agentId: string,
  revision: number,
  counters: readonly UsageCounter[],
): RevisionCost => ({
  agentId,
  revision,
  ...sum(counters.filter(({ modelId }) => modelId === undefined)),
});

/** Sums the counters to one entry per provider and model, by cost descending, then by name. */
export const toModelUsages = (
  revision: number,
  counters: readonly UsageCounter[],
): ModelUsageEntry[] => {
  const byModel = Map.groupBy(
    counters.filter(({ modelId }) => modelId !== undefined),
    ({ providerId, modelId }) => JSON.stringify([providerId, modelId]),
  );
  return [...byModel.values()]
    .map((shards) => ({
      revision,
      modelId: shards[0]?.modelId ?? "",
      providerId: shards[0]?.providerId ?? "",
      ...sum(shards),
    }))
    .toSorted(
      (one, other) =>
        other.totalCost - one.totalCost ||
        `${one.providerId}/${one.modelId}`.localeCompare(`${other.providerId}/${other.modelId}`),
    );
};
