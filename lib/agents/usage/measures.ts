import { dollars } from "../../engine/models/sums.ts";

/** What a counter counts: executions, tokens and US dollars. */
export type Measures = {
  executionCount: number;
  failedCount: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  thinkingTokens: number;
  inputCost: number;
  outputCost: number;
  cachedCost: number;
  thinkingCost: number;
  totalCost: number;
};

/** None of anything. */
export const noMeasures: Measures = {
  executionCount: 0,
  failedCount: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  thinkingTokens: 0,
  inputCost: 0,
  outputCost: 0,
  cachedCost: 0,
  thinkingCost: 0,
  totalCost: 0,
};

/** Adds up measures; absent ones are 0. */
export const sumMeasures = (all: readonly Partial<Measures>[]): Measures => {
  const total = (name: keyof Measures) => all.reduce((sum, each) => sum + (each[name] ?? 0), 0);
  return {
    executionCount: total("executionCount"),
    failedCount: total("failedCount"),
    inputTokens: total("inputTokens"),
    outputTokens: total("outputTokens"),
    cachedTokens: total("cachedTokens"),
    thinkingTokens: total("thinkingTokens"),
    inputCost: dollars(total("inputCost")),
    outputCost: dollars(total("outputCost")),
    cachedCost: dollars(total("cachedCost")),
    thinkingCost: dollars(total("thinkingCost")),
    totalCost: dollars(total("totalCost")),
  };
};
