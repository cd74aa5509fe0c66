import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { type Synthesized, synthesized } from "../../infra/synthesized.ts";
import { budgets, budgetsExceeded, uncosted } from "../budgets.ts";
import { billedTypes } from "./billed-types.ts";
import { computeCost, getPrice, idleMonth, modelGigabyteSeconds, total } from "./dollars.ts";
import { modelWaits, withoutModel } from "./model-waits.ts";
import { readCounts, readPrices } from "./prices.ts";
import { readStack } from "./read-stack.ts";
import { type CostInput, renderCosts } from "./render-costs.ts";

let stacks: Synthesized;
let input: CostInput;

beforeAll(async () => {
  stacks = await synthesized();
  input = {
    prices: readPrices(),
    stack: readStack(stacks),
    counts: readCounts(),
  };
}, 120_000);

const page = readFileSync(new URL("../../../docs/costs.md", import.meta.url), "utf8");

test("docs/costs.md equals the output of npm run costs", () => {
  expect(page).toBe(renderCosts(input));
});

test("the counts of docs/costs.md are within the budgets", () => {
  const counted = new Map(
    Object.entries(input.counts.units).map(([name, count]) => [name, [count]] as const),
  );
  const costed = Object.keys(budgets).filter((unit) => !uncosted.includes(unit));
  expect([...counted.keys()]).toEqual(expect.arrayContaining(costed));
  expect(budgetsExceeded(counted)).toEqual([]);
});

describe("waits for models", () => {
  test("every unit of work either names the functions that wait, or calls no model", () => {
    const known = [...Object.keys(modelWaits), ...withoutModel];
    const units = new Set([...Object.keys(budgets), ...Object.keys(input.counts.units)]);
    expect(known.toSorted()).toEqual([...units].toSorted());
  });

  test("every row that calls a model is shown for all durations, with the cost of its GB-seconds", () => {
    const { modelSeconds } = input.prices.assumptions;
    expect(modelSeconds.filter((seconds) => seconds > 0)).not.toEqual([]);
    for (const [unit, count] of Object.entries(input.counts.units)) {
      const rows = page
        .split("\n## ")[1]
        ?.split("\n")
        .filter((line) => line.startsWith(`| ${unit} `));
      expect(rows, unit).toHaveLength(modelWaits[unit] ? modelSeconds.length : 1);
      if (!modelWaits[unit]) continue;
      const [quick, slow] = [0, 5].map((seconds) =>
        total(computeCost(input, unit, count, seconds)),
      );
      const waits = modelWaits[unit].reduce((sum, wait) => sum + wait.waits, 0);
      expect(waits, unit).toBeLessThanOrEqual(count.invocations);
      const waited = modelGigabyteSeconds(input.stack, unit, 5);
      expect(waited).toBeGreaterThan(0);
      expect((slow ?? 0) - (quick ?? 0)).toBeCloseTo(
        waited * getPrice(input.prices, "gigabyteSecond"),
        12,
      );
    }
  });

  test("a million calls of a model that takes 5 s cost about $67 in a function of 1,024 MB", () => {
    expect(input.stack.memoryMegabytes.get("execute-agent-or-test-draft")).toBe(1_024);
    const gigabyteSeconds = 1e6 * modelGigabyteSeconds(input.stack, "execute, model call", 5);
    expect(gigabyteSeconds * getPrice(input.prices, "gigabyteSecond")).toBeCloseTo(66.67, 2);
  });

  test("a wait is billed with the memory of the function that waits", () => {
    const memoryMegabytes = new Map([...input.stack.memoryMegabytes, ["reply-to-chat", 2_048]]);
    expect(modelGigabyteSeconds({ ...input.stack, memoryMegabytes }, "chat message", 5)).toBe(10);
  });
});

describe("the idle month", () => {
  test("an alarm costs as many metrics as it evaluates in the templates", () => {
    const written = stacks.text.split('"MetricStat"').length - 1;
    const simple = stacks
      .resources("AWS::CloudWatch::Alarm")
      .filter(({ Properties }) => Properties.MetricName !== undefined);
    const line = idleMonth(input, input.counts).find(({ what }) => what.startsWith("metrics of"));
    expect(line?.number).toBe(written + simple.length);
    expect(line?.usd).toBeCloseTo((written + simple.length) * 0.1, 6);
    expect(line?.number).toBeGreaterThan(stacks.resources("AWS::CloudWatch::Alarm").length);
  });

  test("every KMS key and secret of the templates is in it", () => {
    const lines = new Map(idleMonth(input, input.counts).map(({ what, usd }) => [what, usd]));
    expect(lines.get("KMS keys")).toBe(stacks.resources("AWS::KMS::Key").length);
    const secrets = stacks.resources("AWS::SecretsManager::Secret").length;
    expect(lines.get("secrets")).toBeCloseTo(secrets * 0.4, 6);
  });
});

describe("resources that AWS bills", () => {
  test("the page has every type of resource in the templates, and no other", () => {
    expect(Object.keys(billedTypes).toSorted()).toEqual([...input.stack.types]);
  });

  test("a request pays for its line in the access log, in the format of the templates, and for CloudFront", () => {
    const count = { ...input.counts.units["get key"], logBytes: 0 };
    const request = input.counts.units["get key"];
    if (!request) throw new Error("get key is not counted");
    const dollars = computeCost(input, "get key", { ...request, ...count });
    expect(input.stack.accessLogBytes).toBeGreaterThan(300);
    expect(dollars.logs * 1e9).toBeCloseTo(input.stack.accessLogBytes * 0.5, 6);
    expect(dollars.edge).toBeGreaterThan(1e-6);
  });
});
