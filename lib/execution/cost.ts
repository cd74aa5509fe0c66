import { dollars } from "../budget/dollars.ts";
import type { UsageEntry } from "../flow/flow-result.ts";
import type { Cost, TokenCounts } from "../models/model.ts";
import type { CountedUsage } from "./usage-store.ts";

/** No tokens of any kind. */
export const noTokens: TokenCounts = {
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

/** What a flow's calls to models used and cost, in all and by model. */
export const countCost = (models: readonly UsageEntry[]): CountedUsage => ({
  tokens: models.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens),
  cost: models.reduce((sum, { cost }) => addCosts(sum, cost), noCost),
  models,
});

const addTokens = (one: TokenCounts, other: TokenCounts): TokenCounts => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  thinkingTokens: one.thinkingTokens + other.thinkingTokens,
});

const addCosts = (one: Cost, other: Cost): Cost => ({
  inputCost: dollars(one.inputCost + other.inputCost),
  outputCost: dollars(one.outputCost + other.outputCost),
  cachedCost: dollars(one.cachedCost + other.cachedCost),
  thinkingCost: dollars(one.thinkingCost + other.thinkingCost),
  totalCost: dollars(one.totalCost + other.totalCost),
});
