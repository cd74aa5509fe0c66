import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UsageCounter } from "./store.ts";
import { toModelUsages, toRevisionCost } from "./sum-usage.ts";

const counter = (change: Partial<UsageCounter>): UsageCounter => ({
  executionCount: 1,
  inputTokens: 1,
  outputTokens: 1,
  cachedTokens: 0,
  thinkingTokens: 0,
  inputCost: 0,
  outputCost: 0,
  cachedCost: 0,
  thinkingCost: 0,
  totalCost: 0,
  ...change,
});

describe("summing counters", () => {
  test("adds the shards of a model to one entry, the most expensive first, without rounding errors", () => {
    const counters = [
      counter({ providerId: "p", modelId: "cheap", totalCost: 0.1 }),
      counter({ providerId: "p", modelId: "dear", totalCost: 0.1 }),
      counter({ providerId: "p", modelId: "dear", totalCost: 0.2 }),
      counter({ executionCount: 3, totalCost: 0.4 }),
    ];
    expect(toModelUsages(0, counters)).toMatchObject([
      { modelId: "dear", executionCount: 2, totalCost: 0.3 },
      { modelId: "cheap", executionCount: 1, totalCost: 0.1 },
    ]);
    expect(toRevisionCost("a", 0, counters)).toMatchObject({ executionCount: 3, totalCost: 0.4 });
  });

  test("counts everything once, for any distribution over models and shards", () => {
    const model = fc.constantFrom("a", "b", "a/b", "");
    fc.assert(
      fc.property(fc.array(fc.tuple(model, model, fc.nat(1_000))), (parts) => {
        const counters = parts.map(([providerId, modelId, inputTokens]) =>
          counter({ providerId, modelId, inputTokens }),
        );
        const entries = toModelUsages(0, counters);
        const total = (of: readonly { inputTokens: number }[]) =>
          of.reduce((sum, each) => sum + each.inputTokens, 0);
        expect(total(entries)).toBe(total(counters));
        expect(new Set(entries.map((each) => `${each.providerId}\n${each.modelId}`)).size).toBe(
          entries.length,
        );
      }),
    );
  });
});
