import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TokenCounts } from "./model.ts";
import { calculatePrice } from "./price.ts";
import { readModelPrices } from "./price-overrides.ts";
import type { ProviderType } from "./provider-settings.ts";

const million: TokenCounts = {
  inputTokens: 1_000_000,
  outputTokens: 1_000_000,
  cachedTokens: 1_000_000,
  thinkingTokens: 1_000_000,
};
const thousand: TokenCounts = {
  inputTokens: 1_000,
  outputTokens: 1_000,
  cachedTokens: 1_000,
  thinkingTokens: 1_000,
};

const noOverrides = async () => new Map();
const list = (
  type: ProviderType,
  model: string,
  usage: TokenCounts,
  baseUrl: string | null = null,
) => calculatePrice({ id: "mine", type, baseUrl }, model, usage, noOverrides);

const overrides = async (content: unknown) => {
  const folder = await mkdtemp(join(tmpdir(), "prices-"));
  try {
    const file = join(folder, "prices.json");
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    return await readModelPrices(file);
  } finally {
    await rm(folder, { recursive: true });
  }
};

describe("the price list", () => {
  test("prices the services' models; thinking costs as much as output", async () => {
    const { cost, priced } = await list("openai", "gpt-5", million);
    expect(priced).toBe(true);
    expect(cost).toEqual({
      inputCost: 1.25,
      outputCost: 10,
      cachedCost: 0.125,
      thinkingCost: 10,
      totalCost: 21.375,
    });
  });

  test("prices tokens written to a cache as such, within the cost of input", async () => {
    const written = { ...thousand, cacheWriteTokens: 900, cacheWriteHourTokens: 400 };
    const { cost } = await list("anthropic", "claude-sonnet-4-5", written);
    const perToken = (100 * 3 + 500 * 3.75 + 400 * 6) / 1_000_000;
    expect(cost.inputCost).toBeCloseTo(perToken, 12);
    expect(cost.totalCost).toBeCloseTo(
      cost.inputCost + cost.outputCost + cost.cachedCost + cost.thinkingCost,
      12,
    );
    const bedrock = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
    const onBedrock = await list("bedrock", bedrock, written);
    expect(onBedrock.cost.inputCost).toBeCloseTo((100 * 3.3 + 900 * 4.125) / 1_000_000, 12);
    const unknown = await list("openai", "gpt-5", written);
    expect(unknown.cost.inputCost).toBeCloseTo((1_000 * 1.25) / 1_000_000, 12);
  });

  test.each<[ProviderType, string]>([
    ["anthropic", "claude-sonnet-4-5"],
    ["google", "gemini-2.5-pro"],
    ["bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ])("prices %s's %s, and its costs add up", async (type, model) => {
    const { cost, priced } = await list(type, model, thousand);
    expect(priced).toBe(true);
    expect(cost.inputCost).toBeGreaterThan(cost.cachedCost);
    expect(cost.outputCost).toBe(cost.thinkingCost);
    expect(cost.totalCost).toBeCloseTo(
      cost.inputCost + cost.outputCost + cost.cachedCost + cost.thinkingCost,
      12,
    );
  });

  test("prices long inputs higher if the service does", async () => {
    const usage = { ...million, inputTokens: 100_000, cachedTokens: 100_000 };
    const short = await list("google", "gemini-2.5-pro", usage);
    const long = await list("google", "gemini-2.5-pro", { ...usage, cachedTokens: 100_001 });
    expect(short.cost).toMatchObject({ inputCost: 0.125, outputCost: 10 });
    expect(long.cost).toMatchObject({ inputCost: 0.25, outputCost: 15 });
  });

  test("recognizes compatible servers by their address, and never prices a local model as a service's", async () => {
    const groq = "https://api.groq.com/openai/v1";
    const model = "llama-3.3-70b-versatile";
    expect((await list("openai-compatible", model, thousand, groq)).priced).toBe(true);
    expect(await list("openai-compatible", model, thousand, "http://127.0.0.1:11434/v1")).toEqual({
      cost: { inputCost: 0, outputCost: 0, cachedCost: 0, thinkingCost: 0, totalCost: 0 },
      priced: false,
    });
    expect((await list("openai-compatible", "gpt-5", thousand, "http://x/v1")).priced).toBe(false);
  });

  test("returns no cost for an unknown model, and marks it as not priced", async () => {
    expect(await list("openai", "no-such-model", million)).toMatchObject({
      cost: { totalCost: 0 },
      priced: false,
    });
  });
});

describe("a deployment's own prices", () => {
  test("win over the list, those of a provider's id over those of its type", async () => {
    const prices = await overrides({
      "openai/gpt-5": { input: 1, output: 2 },
      "mine/gpt-5": { input: 3, output: 4, cached: 0.5, thinking: 6 },
      "openai-compatible/org/model": { input: 7, output: 8 },
    });
    const price = async (id: string, type: ProviderType, model: string) =>
      (await calculatePrice({ id, type, baseUrl: null }, model, million, async () => prices)).cost;
    expect(await price("mine", "openai", "gpt-5")).toMatchObject({
      inputCost: 3,
      outputCost: 4,
      cachedCost: 0.5,
      thinkingCost: 6,
      totalCost: 13.5,
    });
    expect(await price("other", "openai", "gpt-5")).toMatchObject({
      inputCost: 1,
      outputCost: 2,
      cachedCost: 1,
      thinkingCost: 2,
    });
    expect(await price("other", "openai-compatible", "org/model")).toMatchObject({ inputCost: 7 });
  });

  test.each([
    ["not JSON", "{"],
    ["a price below 0", { "openai/x": { input: -1, output: 1 } }],
    ["no output price", { "openai/x": { input: 1 } }],
    ["a name without a provider", { x: { input: 1, output: 1 } }],
    ["a list", []],
  ])("are refused with %s", async (_, content) => {
    await expect(overrides(content)).rejects.toThrow();
  });
});
