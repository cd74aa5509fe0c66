import { modelPricesFile } from "../../platform/runtime/env.ts";
import { once } from "../../platform/runtime/once.ts";
import type { Price, PricedTokens } from "./model.ts";
import { findListPrices, isEmbeddingModel, listEmbeddingModels } from "./price-list.ts";
import { type ModelPrices, readModelPrices } from "./price-overrides.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import type { Rates } from "./rates.ts";

/** The prices of a model that costs nothing. */
export const freeRates: Rates = {
  input: 0,
  output: 0,
  cached: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  thinking: 0,
};

const deploymentPrices = once(async (): Promise<ModelPrices> => {
  const file = modelPricesFile();
  return file === undefined ? new Map() : readModelPrices(file);
});

/**
 * Returns the cost of tokens by the deployment's own prices, else by the bundled price list; tokens written to a cache
 * are input at a price of their own. A model that neither
 * knows costs 0 and is not priced.
 */
export const calculatePrice = async (
  { id, type, baseUrl }: Pick<ProviderSettings, "id" | "type" | "baseUrl">,
  model: string,
  usage: PricedTokens,
  prices: () => Promise<ModelPrices> = deploymentPrices,
): Promise<Price> => {
  const rates = await findRates({ id, type, baseUrl }, { model, usage }, prices);
  return { cost: calculateCost(usage, rates ?? freeRates), priced: rates !== undefined };
};

/** Returns the known prices of a model, those of a short input; undefined for a model without a known price. */
export const findPrices = (
  provider: Pick<ProviderSettings, "id" | "type" | "baseUrl">,
  model: string,
  prices: () => Promise<ModelPrices> = deploymentPrices,
): Promise<Rates | undefined> => findRates(provider, { model, usage: noTokens }, prices);

const noTokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 };

const findRates = async (
  { id, type, baseUrl }: Pick<ProviderSettings, "id" | "type" | "baseUrl">,
  { model, usage }: { model: string; usage: PricedTokens },
  prices: () => Promise<ModelPrices>,
): Promise<Rates | undefined> => {
  const own = await prices();
  return (
    own.get(`${id}/${model}`) ??
    own.get(`${type}/${model}`) ??
    (await findListPrices({ type, baseUrl }, model, usage))
  );
};

/**
 * Lists the embedding models of a provider that have a known price: those of the bundled price
 * list, and those with "embed" in their name and a price of the deployment.
 */
export const pricedEmbeddingModels = async (
  { id, type, baseUrl }: Pick<ProviderSettings, "id" | "type" | "baseUrl">,
  prices: () => Promise<ModelPrices> = deploymentPrices,
): Promise<string[]> => {
  const own = [...(await prices()).keys()].flatMap((name) => {
    const prefix = [`${id}/`, `${type}/`].find((start) => name.startsWith(start));
    const model = name.slice(prefix?.length);
    return prefix !== undefined && isEmbeddingModel(model) ? [model] : [];
  });
  return [...new Set([...own, ...(await listEmbeddingModels({ type, baseUrl }))])];
};

const calculateCost = (usage: PricedTokens | undefined, rates: Rates): Price["cost"] => {
  const cost = (tokens: number | undefined, rate: number) => ((tokens ?? 0) * rate) / 1_000_000;
  const { inputTokens = 0, cacheWriteTokens = 0, cacheWriteHourTokens = 0 } = usage ?? {};
  const inputCost =
    cost(inputTokens - cacheWriteTokens, rates.input) +
    cost(cacheWriteTokens - cacheWriteHourTokens, rates.cacheWrite) +
    cost(cacheWriteHourTokens, rates.cacheWriteHour);
  const outputCost = cost(usage?.outputTokens, rates.output);
  const cachedCost = cost(usage?.cachedTokens, rates.cached);
  const thinkingCost = cost(usage?.thinkingTokens, rates.thinking);
  const totalCost = inputCost + outputCost + cachedCost + thinkingCost;
  return { inputCost, outputCost, cachedCost, thinkingCost, totalCost };
};

/** The price of a free model. */
export const freePrice: Price = { cost: calculateCost(undefined, freeRates), priced: true };
