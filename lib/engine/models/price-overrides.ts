import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { Rates } from "./rates.ts";

const rate = z.number().min(0);

/**
 * Schema of the file that `MODEL_PRICES` names: US dollars per million tokens by `<provider's id or
 * type>/<model>`. Tokens read from or written to a cache default to the price of input (those kept for an hour to that of
 * those kept for minutes), reasoning to the price of output.
 */
export const ModelPricesFile = z.record(
  z.string().regex(/^[^/]+\/.+$/, "must be <provider's id or type>/<model>"),
  z.object({
    input: rate,
    output: rate,
    cached: rate.optional(),
    cacheWrite: rate.optional(),
    cacheWriteHour: rate.optional(),
    thinking: rate.optional(),
  }),
);

/** Prices by `<provider's id or type>/<model>`. */
export type ModelPrices = ReadonlyMap<string, Rates>;

/** Parses a file of prices. Throws for an invalid file, so that nothing runs at unintended prices. */
export const readModelPrices = async (file: string): Promise<ModelPrices> => {
  const prices = ModelPricesFile.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (!prices.success) {
    throw new Error(
      `MODEL_PRICES has not the form that it must have. ${z.prettifyError(prices.error)}`,
    );
  }
  return new Map(
    Object.entries(prices.data).map(([name, { input, output, ...rates }]) => {
      const { cached = input, cacheWrite = input, thinking = output } = rates;
      const { cacheWriteHour = cacheWrite } = rates;
      return [name, { input, output, cached, cacheWrite, cacheWriteHour, thinking }];
    }),
  );
};
