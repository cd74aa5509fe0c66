import type { Cost, TokenCounts } from "./model.ts";

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

/** Two counts of tokens as one. */
export const addTokens = (one: TokenCounts, other: TokenCounts): TokenCounts => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  thinkingTokens: one.thinkingTokens + other.thinkingTokens,
});

/** Two costs as one. */
export const addCosts = (one: Cost, other: Cost): Cost => ({
  inputCost: dollars(one.inputCost + other.inputCost),
  outputCost: dollars(one.outputCost + other.outputCost),
  cachedCost: dollars(one.cachedCost + other.cachedCost),
  thinkingCost: dollars(one.thinkingCost + other.thinkingCost),
  totalCost: dollars(one.totalCost + other.totalCost),
});

/** US dollars to a millionth of a millionth, without the dust that adding fractions in binary leaves. */
export const dollars = (amount: number): number => Number(amount.toFixed(12));
