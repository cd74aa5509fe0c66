import { describe, expect, test } from "vitest";
import { toGenerateResult } from "./to-generate-result.ts";

const toUsage = (read: Record<string, number>, written: Record<string, number>) =>
  toGenerateResult(
    {
      content: [],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: {
          total: read.total,
          noCache: undefined,
          cacheRead: read.cached,
          cacheWrite: undefined,
        },
        outputTokens: { total: written.total, text: undefined, reasoning: written.reasoning },
      },
    },
    "test",
  ).usage;

describe("token counts that a server reports", () => {
  test("are whole numbers, none below 0 and none above a thousand million", () => {
    expect(toUsage({ total: 1.5, cached: -1e9 }, { total: 1e130, reasoning: -5 })).toEqual({
      inputTokens: 2,
      outputTokens: 1_000_000_000,
      cachedTokens: 0,
      thinkingTokens: 0,
    });
  });

  test("are 0 where they are no finite number", () => {
    expect(
      toUsage(
        { total: Number.NaN, cached: Number.POSITIVE_INFINITY },
        { total: Number.NEGATIVE_INFINITY },
      ),
    ).toEqual({ inputTokens: 0, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 });
  });

  test("never take the cached from the input below 0", () => {
    expect(toUsage({ total: 10, cached: 30 }, { total: 7.4, reasoning: 2.5 })).toEqual({
      inputTokens: 0,
      outputTokens: 4,
      cachedTokens: 30,
      thinkingTokens: 3,
    });
  });
});
