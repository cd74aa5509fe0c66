import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { budgetsExceeded } from "../budgets.ts";
import { readCounts, readPrices } from "./prices.ts";
import { renderCosts } from "./render-costs.ts";

const input = {
  prices: readPrices(),
  now: readCounts("counts.json"),
  before: readCounts("counts-before.json"),
};

test("docs/costs.md is what npm run costs writes", () => {
  const page = readFileSync(new URL("../../../docs/costs.md", import.meta.url), "utf8");
  expect(page).toBe(renderCosts(input));
});

test("the counts of docs/costs.md are within the budgets", () => {
  const counted = new Map(
    Object.entries(input.now.units).map(([name, count]) => [name, [count]] as const),
  );
  expect(budgetsExceeded(counted)).toEqual([]);
});
