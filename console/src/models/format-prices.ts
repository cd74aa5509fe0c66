import type { LlmModel } from "../../../client/openapi.ts";

const dollars = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 0,
  maximumFractionDigits: 4,
});

/** Formats the prices of a model for a million tokens. */
export const formatPrices = ({ prices }: Pick<LlmModel, "prices">): string => {
  if (!prices) return "no known price";
  if (prices.input === 0 && prices.output === 0) return "free";
  return `${dollars.format(prices.input)} in, ${dollars.format(prices.output)} out per 1M tokens`;
};
