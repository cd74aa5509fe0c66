import * as z from "zod";
import { Timestamp } from "../../platform/http/ids.ts";

/** A share of a budget that sends an alert. */
export const ThresholdRule = z
  .object({
    percent: z.number().min(1).max(1_000).meta({
      description: "Percentage of the amount; reaching it sends one alert a month.",
      example: 80,
    }),
  })
  .meta({ id: "ThresholdRule" });

/** Stored representation of a budget, part of the agent's item. */
export const BudgetItem = z.object({
  amount: z.number(),
  thresholdRules: z.array(ThresholdRule),
  enforceLimit: z.boolean(),
  allowUnpriced: z.boolean(),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});
export type BudgetItem = z.output<typeof BudgetItem>;
