import type { UsageEntry } from "../flow/flow-result.ts";
import type { Cost, TokenUsage } from "./schemas.ts";
import type { CountedUsage } from "./usage-store.ts";

/** No tokens of any kind. */
export const noTokens: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  thinkingTokens: 0,
};

/** Nothing spent. */
export const noCost: Cost = {
  inputCost: 0,
  outputCost: 0,
  cachedCost: 0,
  thinkingCost: 0,
  totalCost: 0,
};

/** What a flow's calls to models used and cost, in all and by model. `echo`, the one provider, is free. */
export const countCost = (entries: readonly UsageEntry[]): CountedUsage => {
  const models = entries.map(({ providerId, modelId, ...tokens }) => ({
    providerId,
    modelId,
    tokens,
    cost: noCost,
  }));
  return {
    tokens: models.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens),
    cost: noCost,
    models,
  };
};

const addTokens = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  thinkingTokens: one.thinkingTokens + other.thinkingTokens,
});
