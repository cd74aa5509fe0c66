import { expect, test } from "vitest";
import { describeResult, runAll } from "../../console/src/executions/run-all.ts";
import { builtInViews, formatViews, parseViews } from "../../console/src/executions/saved-views.ts";
import { parseExecutionSearch, toQuery } from "../../console/src/executions/search.ts";

test.each([
  [{ score: "helpful=false" }, { "score.helpful": "false" }],
  [{ score: "quality <= 0.5" }, { "maxScore.quality": "0.5" }],
  [{ score: "quality>=0.5" }, { "minScore.quality": "0.5" }],
  [{ score: "quality" }, {}],
  [{ metadata: "ticket=a=b" }, { "metadata.ticket": "a=b" }],
  [{ metadata: "=7" }, {}],
  [{ minCost: "0.50" }, { minCost: 0.5 }],
  [{ minCost: "much" }, {}],
  [{ minCost: " " }, {}],
  [{ error: "x".repeat(300) }, { error: "x".repeat(200) }],
  [{ text: "x".repeat(300) }, { text: "x".repeat(200) }],
])("the filters %j of an address are the parameters %j", (search, query) => {
  expect(toQuery(search)).toEqual(query);
});

test("filters that an address cannot have are dropped", () => {
  const search = { status: "Lost", from: "yesterday", error: "", agent: "a", other: "1" };
  expect(parseExecutionSearch(search)).toEqual({ agent: "a" });
});

test("saved views are read as they were stored, and damaged ones are none", () => {
  const views = [{ name: "Mine", search: { status: "Failed" as const, error: "a&b=c" } }];
  expect(parseViews(formatViews(views))).toEqual(views);
  for (const stored of [null, "", "{", "{}", '[1, {"name": 2}]']) {
    expect(parseViews(stored)).toEqual([]);
  }
  const today = builtInViews(new Date(2026, 0, 5, 23)).find(({ name }) => name === "Failed today");
  expect(today?.search.from).toBe("2026-01-05");
});

test("an action on several items tries all of them, and names the first problem", async () => {
  const progress: number[] = [];
  const result = await runAll(
    [1, 2, 3],
    async (item) => {
      if (item === 2) throw new Error("Not deployed.");
    },
    (done) => progress.push(done),
  );
  expect(progress).toEqual([1, 2, 3]);
  expect(describeResult(result, "started")).toBe("2 started, 1 failed: Not deployed.");
  expect(describeResult(await runAll([1], async () => {}), "started")).toBe("1 started.");
});
