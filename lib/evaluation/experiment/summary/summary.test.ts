import fc from "fast-check";
import { expect, test } from "vitest";
import { bootstrapInterval, computeMean, computeQuantile } from "./statistics.ts";
import { type SummarizedResult, summarize } from "./summarize.ts";

const of = { id: "experiment", revisions: [1], scorers: ["s"] };

const result = (exampleId: string, value: number | null): SummarizedResult => ({
  revision: 1,
  exampleId,
  status: "Succeeded",
  cost: 0.5,
  priced: true,
  durationMs: 10,
  scores: [{ scorer: "s", value, passed: value === null ? null : value >= 0.5 }],
});

const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
  minLength: 1,
  maxLength: 40,
});

test("the interval is the same for the same seed, contains the mean of equal values, and is within the values", () => {
  fc.assert(
    fc.property(values, fc.string(), (all, seed) => {
      const [low = 0, high = 0] = bootstrapInterval(all, seed) ?? [];
      expect(bootstrapInterval(all, seed)).toEqual([low, high]);
      const slack = 1e-9;
      expect(low).toBeLessThanOrEqual(high);
      expect(low).toBeGreaterThanOrEqual(Math.min(...all) - slack);
      expect(high).toBeLessThanOrEqual(Math.max(...all) + slack);
    }),
    { numRuns: 30 },
  );
});

test("the interval of 400 values has the width of the normal distribution", () => {
  const all = Array.from({ length: 400 }, (_, at) => (at % 5 === 0 ? 0 : 1));
  const [low = 0, high = 0] = bootstrapInterval(all, "seed") ?? [];
  const half = 1.96 * Math.sqrt((0.8 * 0.2) / 400);
  expect(low).toBeCloseTo(0.8 - half, 1.5);
  expect(high).toBeCloseTo(0.8 + half, 1.5);
  expect(bootstrapInterval([], "seed")).toBeNull();
});

test("repetitions count by example: an example with many is as heavy as one with a single run", async () => {
  const groups = fc.array(values, { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(groups, async (examples) => {
      const results = examples.flatMap((repetitions, at) =>
        repetitions.map((value) => result(`e${String(at).padStart(2, "0")}`, value)),
      );
      const [row] = await summarize(of, results);
      expect(row?.mean).toBeCloseTo(
        computeMean(examples.map((example) => computeMean(example) ?? 0)) ?? 0,
        9,
      );
      expect(row).toMatchObject({ count: results.length, failures: 0 });
      expect(row?.totalCost).toBeCloseTo(results.length / 2, 9);
    }),
    { numRuns: 30 },
  );
});

test("a score without a value is a failure and not in the mean; a cancelled run counts for the cost alone", async () => {
  const cancelled = { ...result("c", 1), status: "Cancelled" as const, scores: [] };
  const [row] = await summarize(of, [result("a", 1), result("b", null), cancelled]);
  expect(row).toMatchObject({
    mean: 1,
    passRate: 1,
    count: 1,
    failures: 1,
    unscored: 1,
    totalCost: 1.5,
  });
  expect(await summarize(of, [])).toMatchObject([
    { mean: null, interval: null, passRate: null, count: 0, p50Ms: null },
  ]);
});

test("a quantile is the value that the share of values does not exceed", () => {
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
  expect([0.5, 0.95, 1].map((share) => computeQuantile(hundred, share))).toEqual([50, 95, 100]);
  expect(computeQuantile([7], 0.5)).toBe(7);
  expect(computeQuantile([], 0.5)).toBeNull();
});
