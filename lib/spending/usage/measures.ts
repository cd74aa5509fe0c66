import { dollars } from "../../engine/models/sums.ts";

/** Measures of a counter: executions, tokens and US dollars. */
export type Measures = {
  executionCount: number;
  failedCount: number;
  /** Those that called a model without a price. */
  unpricedCount: number;
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

/** Builds an object with a value for each measure. */
export const mapMeasures = <Value>(
  of: (name: keyof Measures) => Value,
): Record<keyof Measures, Value> => ({
  executionCount: of("executionCount"),
  failedCount: of("failedCount"),
  unpricedCount: of("unpricedCount"),
  inputTokens: of("inputTokens"),
  outputTokens: of("outputTokens"),
  cachedTokens: of("cachedTokens"),
  thinkingTokens: of("thinkingTokens"),
  inputCost: of("inputCost"),
  outputCost: of("outputCost"),
  cachedCost: of("cachedCost"),
  thinkingCost: of("thinkingCost"),
  totalCost: of("totalCost"),
});

/** None of anything. */
export const noMeasures: Measures = mapMeasures(() => 0);

/** Adds up measures; absent ones are 0. Each addition is rounded, so that the sum does not depend on the order. */
export const sumMeasures = (all: readonly Partial<Measures>[]): Measures =>
  mapMeasures((name) => {
    if (!isCost(name)) return all.reduce((sum, each) => sum + (each[name] ?? 0), 0);
    return all.reduce(
      (sum, { [name]: amount = 0 }) => (amount === 0 ? sum : dollars(sum + amount)),
      0,
    );
  });

/** Returns whether a measure is an amount of US dollars. */
export const isCost = (name: keyof Measures): boolean => name.endsWith("Cost");
