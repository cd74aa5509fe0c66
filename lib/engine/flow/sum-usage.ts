import type { Cost, TokenCounts } from "../models/model.ts";
import { addCosts, addTokens, noCost, noTokens } from "../models/sums.ts";
import type { Span, UsageEntry } from "./flow-result.ts";

/** Type of the spans of model calls. Only these count; the Prompt's span repeats their sum. */
export const modelCallType = "Model";

/** Sums tokens and cost of all model calls by provider and model. */
export const sumUsage = (spans: readonly Span[]): readonly UsageEntry[] => {
  const entries = new Map<string, UsageEntry>();
  for (const { type, usage, cost, priced, providerId, modelId } of spans) {
    if (type !== modelCallType || !usage || providerId === null || modelId === null) continue;
    const key = JSON.stringify([providerId, modelId]);
    const sum = entries.get(key);
    entries.set(key, {
      providerId,
      modelId,
      tokens: addTokens(sum?.tokens ?? noTokens, usage),
      cost: addCosts(sum?.cost ?? noCost, cost ?? noCost),
      priced: sum?.priced !== false && priced !== false,
    });
  }
  return [...entries.values()];
};

/** Tokens and cost of model calls. */
type UsageTotal = {
  tokens: TokenCounts;
  cost: Cost;
  /** Whether all models have a price. */
  priced: boolean;
};

/** Sums tokens and cost of models; not `priced` if one has no price. */
export const totalUsage = (models: readonly UsageEntry[]): UsageTotal => ({
  tokens: models.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens),
  cost: models.reduce((sum, { cost }) => addCosts(sum, cost), noCost),
  priced: models.every(({ priced }) => priced),
});
