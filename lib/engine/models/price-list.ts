import type { ModelPrice } from "@pydantic/genai-prices";
import type { TokenCounts } from "./model.ts";
import type { ProviderSettings, ProviderType } from "./provider-settings.ts";
import type { Rates } from "./rates.ts";

/** The price list's names of the services. It may know other servers by their address. */
const listNames: Record<Exclude<ProviderType, "openai-compatible">, string> = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  bedrock: "aws",
};

/**
 * Returns a model's prices from the bundled list (@pydantic/genai-prices); undefined for an unknown model. Some
 * prices increase with the length of the input.
 */
export const findListPrices = async (
  { type, baseUrl }: Pick<ProviderSettings, "type" | "baseUrl">,
  model: string,
  usage: TokenCounts,
): Promise<Rates | undefined> => {
  const { calcPrice } = await import("@pydantic/genai-prices");
  const provider = await findListed({ type, baseUrl });
  if (!provider) return undefined;
  const found = calcPrice({}, model, { provider });
  if (!found) return undefined;
  const read = usage.inputTokens + usage.cachedTokens;
  const input = selectRate(found.model_price.input_mtok, read) ?? 0;
  const output = selectRate(found.model_price.output_mtok, read) ?? 0;
  const cacheWrite = selectRate(found.model_price.cache_write_mtok, read) ?? input;
  return {
    input,
    output,
    cached: selectRate(found.model_price.cache_read_mtok, read) ?? input,
    cacheWrite,
    cacheWriteHour: selectRate(found.model_price.cache_write_1h_mtok, read) ?? cacheWrite,
    thinking: selectRate(found.model_price.output_reasoning_mtok, read) ?? output,
  };
};

/** Lists the embedding models of a service that the bundled list has prices of. */
export const listEmbeddingModels = async ({
  type,
  baseUrl,
}: Pick<ProviderSettings, "type" | "baseUrl">): Promise<string[]> => {
  const models = await listPricedModels({ type, baseUrl });
  return models.filter(isEmbeddingModel);
};

/** Lists the ids of a service's models that the bundled list has prices of. Some ids are patterns of several models. */
export const listPricedModels = async (
  provider: Pick<ProviderSettings, "type" | "baseUrl">,
): Promise<string[]> => ((await findListed(provider))?.models ?? []).map(({ id }) => id);

/** Returns whether a model embeds texts, judged by its name. */
export const isEmbeddingModel = (model: string): boolean => /embed/i.test(model);

const findListed = async ({ type, baseUrl }: Pick<ProviderSettings, "type" | "baseUrl">) => {
  const { findProvider } = await import("@pydantic/genai-prices");
  return type === "openai-compatible"
    ? findProvider({ providerApiUrl: baseUrl ?? "" })
    : findProvider({ providerId: listNames[type] });
};

/** Returns the price of the tier that the whole input reaches, which applies to all tokens. */
const selectRate = (price: ModelPrice[string], inputTokens: number): number | undefined => {
  if (price === undefined || typeof price === "number") return price;
  const reached = price.tiers.filter(({ start }) => inputTokens > start);
  return reached.toSorted((one, other) => one.start - other.start).at(-1)?.price ?? price.base;
};
