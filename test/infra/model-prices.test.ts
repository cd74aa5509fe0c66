import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readModelPrices } from "../../infra/functions/model-prices.ts";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { ConfigError } from "../../infra/settings/config.ts";
import { findLambda, type Synthesized, synthesized, synthesizedAnew } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized("settings");
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wharf-prices-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string): string => {
  const file = join(folder, "prices.json");
  writeFileSync(file, text);
  return file;
};
const good = JSON.stringify({
  "openai/gpt-5": { input: 1.25, output: 10, cached: 0.125, thinking: 10 },
  "our-models/llama/3": { input: 0, output: 0 },
});

test("without the setting there are no prices", () => {
  expect(readModelPrices({ MODEL_PRICES: undefined })).toBeUndefined();
});

test("returns a list of prices unchanged", () => {
  expect(readModelPrices({ MODEL_PRICES: write(good) })).toBe(good);
});

test.each([
  ["that is no JSON", "{"],
  ["that is no object", "[]"],
  ["whose keys name no provider", '{"gpt-5": {"input": 1, "output": 1}}'],
  ["with a price that is no number", '{"openai/gpt-5": {"input": "1", "output": 1}}'],
  ["without a price for output", '{"openai/gpt-5": {"input": 1}}'],
  ["with a negative price", '{"openai/gpt-5": {"input": -1, "output": 1}}'],
])("a file %s is refused, naming the setting and the file", (_, text) => {
  const file = write(text);
  expect(() => readModelPrices({ MODEL_PRICES: file })).toThrow(ConfigError);
  expect(() => readModelPrices({ MODEL_PRICES: file })).toThrow(/^MODEL_PRICES must be .*prices/);
});

test("a file that is missing is refused", () => {
  const MODEL_PRICES = join(folder, "none.json");
  expect(() => readModelPrices({ MODEL_PRICES })).toThrow("none.json is not (ENOENT)");
});

test("prices that are not valid are refused before anything is synthesized", async () => {
  await expect(synthesizedAnew({ settings: { MODEL_PRICES: write("1") } })).rejects.toThrow(
    "MODEL_PRICES must be",
  );
});

test("functions that price models, and no others, have the setting of the prices next to them", {
  tags: "nightly",
}, () => {
  for (const { name, access } of everyFunction(product)) {
    expect(findLambda(stacks, name).environment.MODEL_PRICES).toBe(
      access.models || access.prices ? "model-prices.json" : undefined,
    );
  }
});
