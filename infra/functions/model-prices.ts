import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Access } from "../../lib/edge/route.ts";
import { ModelPricesFile } from "../../lib/engine/models/price-overrides.ts";
import { type Config, ConfigError } from "../settings/config.ts";

/** Name of the price file next to the bundles of functions that price models. */
export const modelPricesFile = "model-prices.json";

/** Returns whether a function prices language models, whether it calls them or not. */
export const hasPrices = ({ models, prices }: Pick<Access, "models" | "prices"> = {}): boolean =>
  models === true || prices === true;

/**
 * Reads the file that MODEL_PRICES names; undefined without the setting. Throws a ConfigError if it is unreadable or
 * not a list of prices.
 */
export const readModelPrices = ({
  MODEL_PRICES: path,
}: Pick<Config, "MODEL_PRICES">): string | undefined => {
  if (path === undefined) return undefined;
  const text = readText(path);
  const prices = ModelPricesFile.safeParse(parsed(text));
  if (prices.success) return text;
  throw new ConfigError(
    `MODEL_PRICES must be a JSON file such as {"openai/gpt-5": {"input": 1.25, "output": 10}}, in US dollars for a million tokens; ${path} is not:\n${z.prettifyError(prices.error)}`,
  );
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : "unknown reason";
    throw new ConfigError(
      `MODEL_PRICES must be a file that can be read; ${path} is not (${reason}).`,
    );
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
