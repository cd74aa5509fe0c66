import { type AllowedModels, allowsModel } from "./allowed-models.ts";
import type { ModelEntry } from "./model-list-formats.ts";
import { listPricedModels } from "./price-list.ts";

/** The price list's prefix of models that are called through an inference profile of a region's part of the world. */
const regional = "regional.";

const profiles: readonly (readonly [RegExp, string])[] = [
  [/^us-gov-/, "us-gov."],
  [/^us-/, "us."],
  [/^eu-/, "eu."],
  [/^ap-/, "apac."],
];

/**
 * Lists the Bedrock models that the price list and the deployment's BEDROCK_MODELS name, those that the deployment
 * allows. The functions' role may call models, and not list them.
 */
export const listKnownBedrockModels = async (
  region: string | undefined,
  allowed: AllowedModels,
): Promise<ModelEntry[]> => {
  const prefix = profiles.find(([regions]) => regions.test(region ?? ""))?.[1];
  const priced = await listPricedModels({ type: "bedrock", baseUrl: null });
  const known = priced.flatMap((id) => {
    if (!id.startsWith(regional)) return [id];
    return prefix === undefined ? [] : [prefix + id.slice(regional.length)];
  });
  return [...known, ...allowed.filter((entry) => !entry.endsWith("*"))]
    .filter((id) => allowsModel(allowed, id))
    .map((id) => ({ id }));
};
