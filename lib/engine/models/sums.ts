import type { Cost, PricedTokens, TokenCounts } from "./model.ts";

/** No tokens of any kind. */
export const noTokens: TokenCounts = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  thinkingTokens: 0,
};

/** No cost. */
export const noCost: Cost = {
  inputCost: 0,
  outputCost: 0,
  cachedCost: 0,
  thinkingCost: 0,
  totalCost: 0,
};

/** Adds two token counts. */
export const addTokens = (one: TokenCounts, other: TokenCounts): TokenCounts => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  thinkingTokens: one.thinkingTokens + other.thinkingTokens,
});

/** Returns the counts of priced tokens, which do not include what was written to a cache. */
export const toCounts = (tokens: PricedTokens): TokenCounts => addTokens(noTokens, tokens);

/** Adds two costs. */
export const addCosts = (one: Cost, other: Cost): Cost => ({
  inputCost: dollars(one.inputCost + other.inputCost),
  outputCost: dollars(one.outputCost + other.outputCost),
  cachedCost: dollars(one.cachedCost + other.cachedCost),
  thinkingCost: dollars(one.thinkingCost + other.thinkingCost),
  totalCost: dollars(one.totalCost + other.totalCost),
});

/** Rounds US dollars to 12 decimals, which removes floating-point errors of additions. */
export const dollars = (amount: number): number => Number(amount.toFixed(12));
