import type { Cost, TokenCounts } from "../models/model.ts";
import type { Span, UsageEntry } from "./flow-result.ts";

/** The type of the spans of calls to models; only these count. The Prompt around them shows their sum. */
export const modelCallType = "Model";

/** The tokens and the cost of all calls to models, summed for each model of each provider. */
export function sumUsage(spans: readonly Span[]): readonly UsageEntry[] {
  const entries = new Map<string, UsageEntry>();
  for (const { type, usage, cost, providerId, modelId } of spans) {
    if (type !== modelCallType || !usage || providerId === null || modelId === null) continue;
    const key = JSON.stringify([providerId, modelId]);
    const sum = entries.get(key);
    entries.set(key, {
      providerId,
      modelId,
      tokens: addTokens(sum?.tokens ?? noTokens, usage),
      cost: addCosts(sum?.cost ?? noCost, cost ?? noCost),
    });
  }
  return [...entries.values()];
}

const noTokens: TokenCounts = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  thinkingTokens: 0,
};

const noCost: Cost = {
  inputCost: 0,
  outputCost: 0,
  cachedCost: 0,
  thinkingCost: 0,
  totalCost: 0,
};

/** Two counts of tokens as one. */
export function addTokens(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    thinkingTokens: one.thinkingTokens + other.thinkingTokens,
  };
}

/** Two costs as one. */
export function addCosts(one: Cost, other: Cost): Cost {
  return {
    inputCost: one.inputCost + other.inputCost,
    outputCost: one.outputCost + other.outputCost,
    cachedCost: one.cachedCost + other.cachedCost,
    thinkingCost: one.thinkingCost + other.thinkingCost,
    totalCost: one.totalCost + other.totalCost,
  };
}
