import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { Rates } from "./rates.ts";

const rate = z.number().min(0);

/**
 * The form of the file that `MODEL_PRICES` names: US dollars for a million tokens by `<provider's id or
 * type>/<model>`. What was cached costs as much as other input, and what was thought as much as other
 * output, unless it is said.
 */
export const ModelPricesFile = z.record(
  z.string().regex(/^[^/]+\/.+$/, "must be <provider's id or type>/<model>"),
  z.object({ input: rate, output: rate, cached: rate.optional(), thinking: rate.optional() }),
);

/** Prices by `<provider's id or type>/<model>`. */
export type ModelPrices = ReadonlyMap<string, Rates>;

/** Reads a file of prices. Throws when it is not of that form: nothing shall run at prices that nobody meant. */
export async function readModelPrices(file: string): Promise<ModelPrices> {
  const prices = ModelPricesFile.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (!prices.success) {
    throw new Error(
      `MODEL_PRICES has not the form that it must have. ${z.prettifyError(prices.error)}`,
    );
  }
  return new Map(
    Object.entries(prices.data).map(([name, { input, output, cached, thinking }]) => [
      name,
      { input, output, cached: cached ?? input, thinking: thinking ?? output },
    ]),
  );
}
