import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fromAttributes,
  fromStoredModel,
  sumMeasures,
  toAttributes,
  toStoredModel,
} from "./measures.ts";
import { toModelUsages, toRevisionCost, type Usage } from "./read-usage.ts";

const usage = (
  ...models: (Partial<Usage["models"][number]> & { executions?: number })[]
): Usage => ({
  executions: { executionCount: 1, failedCount: 0, unpricedCount: 0 },
  models: models.map((model) => ({
    providerId: "p",
    modelId: "m",
    ...sumMeasures([{ executionCount: 1, inputTokens: 1, outputTokens: 1 }]),
    ...model,
  })),
});

describe("summing usage", () => {
  test("adds the parts of a model to one entry, the most expensive first, without rounding errors", () => {
    const usages = [
      usage({ modelId: "cheap", totalCost: 0.1 }, { modelId: "dear", totalCost: 0.1 }),
      usage({ modelId: "dear", totalCost: 0.2 }),
      usage(),
    ];
    expect(toModelUsages(0, usages)).toMatchObject([
      { modelId: "dear", executionCount: 2, totalCost: 0.3 },
      { modelId: "cheap", executionCount: 1, totalCost: 0.1 },
    ]);
    expect(toRevisionCost("a", 0, usages)).toMatchObject({ executionCount: 3, totalCost: 0.4 });
  });

  test("counts everything once, for any distribution over models and parts", () => {
    const name = fc.constantFrom("a", "b", "a/b", "");
    const part = fc.array(fc.tuple(name, name, fc.nat(1_000)));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const usages = parts.map((models) =>
          usage(
            ...models.map(([providerId, modelId, inputTokens]) => ({
              providerId,
              modelId,
              inputTokens,
            })),
          ),
        );
        const entries = toModelUsages(0, usages);
        const given = parts.flat().reduce((sum, [, , tokens]) => sum + tokens, 0);
        expect(sumMeasures(entries).inputTokens).toBe(given);
        expect(toRevisionCost("a", 0, usages).inputTokens).toBe(given);
        expect(new Set(entries.map((entry) => `${entry.providerId}\n${entry.modelId}`)).size).toBe(
          entries.length,
        );
      }),
    );
  });
});

describe("stored names", () => {
  test("keep any model's name and any amounts", () => {
    const model = fc.record({
      providerId: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/),
      modelId: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
    });
    const tokens = fc.record({ inputTokens: fc.nat(), thinkingTokens: fc.nat() });
    fc.assert(
      fc.property(model, tokens, (named, amounts) => {
        const { name, token } = toStoredModel(named);
        expect(fromStoredModel(name)).toEqual({ ...named, token });
        const stored = Object.fromEntries(toAttributes(amounts, token));
        expect(fromAttributes(stored, token)).toEqual(sumMeasures([amounts]));
      }),
    );
  });
});
