import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuseRanks } from "./fuse-ranks.ts";
import { scoreWords } from "./score-words.ts";

describe("scores by words", () => {
  test("a rare word counts more than one that every text has", () => {
    const texts = ["the agent runs", "the agent sleeps", "the budget of a month"];
    const [runs = 0, sleeps = 0, budget = 0] = scoreWords("the budget", texts);
    expect(budget).toBeGreaterThan(runs);
    expect(runs).toBeCloseTo(sleeps, 10);
  });

  test("a text without a word of the query scores 0, whatever the texts", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), (texts) => {
        const scores = scoreWords("wanted", [
          ...texts.map((text) => text.replaceAll(/w/giu, "")),
          "x",
        ]);
        expect(scores).toEqual(scores.map(() => 0));
      }),
    );
  });

  test("words are compared without case", () => {
    expect(scoreWords("DEPLOY", ["deploy"])[0]).toBeGreaterThan(0);
  });
});

describe("fused ranks", () => {
  test("the first in all is 1, and the first in either ranks before a candidate that is low in both", () => {
    expect(
      fuseRanks([
        [0.9, 0.5],
        [7, 1],
      ])[0],
    ).toBe(1);
    const [vector = 0, words = 0, neither = 0] = fuseRanks([
      [0.9, 0.1, 0.2],
      [0, 9, 1],
    ]);
    expect(Math.min(vector, words)).toBeLessThan(1);
    expect(words).toBeGreaterThan(neither);
    expect(vector).toBeLessThan(words);
  });

  test("a candidate that is better in all scores never ranks lower", () => {
    const score = fc.float({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(score, score), { minLength: 2 }), (pairs) => {
        const fused = fuseRanks([pairs.map(([one]) => one), pairs.map(([, other]) => other)]);
        for (const [at, [a, b]] of pairs.entries()) {
          for (const [other, [c, d]] of pairs.entries()) {
            if (a >= c && b >= d) expect(fused[at]).toBeGreaterThanOrEqual(fused[other] ?? 0);
          }
        }
      }),
    );
  });
});
