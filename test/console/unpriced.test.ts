import { expect, test } from "vitest";
import type { ExecutionTrace, UsageItem } from "../../client/openapi.ts";
import { formatSpanFacts } from "../../console/src/executions/span-facts.ts";
import { buildSpanTree, toStepStates } from "../../console/src/executions/spans.ts";
import { formatKnownCost } from "../../console/src/shared/format.ts";
import { measures } from "../../console/src/usage/measures.ts";
import { stackByDay, totalsByKey } from "../../console/src/usage/series.ts";

const date = "2026-11-22";
const tokens = { inputTokens: 3, outputTokens: 1, cachedTokens: 0, thinkingTokens: 0 };
const costs = { inputCost: 0, outputCost: 0 };

test("a cost without a price is never shown as $0", () => {
  expect(formatKnownCost(0, true)).toBe("$0.00");
  expect(formatKnownCost(0, false)).toBe("no price");
  expect(formatKnownCost(1.23, false)).toBe("$1.23 + no price");
  expect(formatKnownCost(1.23, true)).toBe("$1.23");
});

test("a day and a total mark costs without a price", () => {
  const item = (key: string, totalCost: number, unpricedCount: number): UsageItem => ({
    ...{ date, key, executionCount: 1, failedCount: 0, unpricedCount },
    ...{ ...tokens, ...costs, totalCost },
  });
  const items = [item("dear", 2, 0), item("own", 0, 1)];
  const { days } = stackByDay(items, [date], measures.cost);
  const { format } = measures.cost;
  const cells = days.flatMap(({ values, total }) => [...values, total]);
  expect(cells.map(({ amount, priced }) => format(amount, priced))).toEqual([
    "$2.00",
    "no price",
    "$2.00 + no price",
  ]);
  const counted = stackByDay(items, [date], measures.failures).days[0]?.total;
  expect(counted).toEqual({ amount: 0, priced: true });
  expect(totalsByKey([...items, item("own", 0, 1)])).toMatchObject([
    { key: "dear", unpricedCount: 0 },
    { key: "own", unpricedCount: 2 },
  ]);
});

test("the facts of a span and the state of its step mark a model without a price", () => {
  const span = (id: string, parentId: string | null, priced: boolean | null) => ({
    ...{ id, parentId, stepId: id, name: id, type: "Prompt", status: "Succeeded" as const },
    ...{
      startTime: 0,
      endTime: 5,
      input: null,
      output: null,
      error: null,
      index: null,
      tool: null,
    },
    ...{ modelId: null, providerId: null, priced },
    usage: priced === null ? null : tokens,
    cost: priced === null ? null : { ...costs, cachedCost: 0, thinkingCost: 0, totalCost: 0 },
  });
  const spans: ExecutionTrace["spans"] = [span("loop", null, null), span("loop/0", "loop", false)];
  const tree = buildSpanTree(spans);
  expect(spans.map((span) => formatSpanFacts(tree, span))).toEqual([
    "5 ms · 4 tokens · no price",
    "5 ms · 4 tokens · no price",
  ]);
  expect(toStepStates(tree).get("loop")).toMatchObject({ cost: 0, priced: false });
});
