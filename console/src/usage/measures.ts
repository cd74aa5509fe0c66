import type { UsageItem } from "../../../client/openapi.ts";
import { formatCost, formatCount } from "../shared/format.ts";

/** The measures of a chart. */
export type Measure = "cost" | "executions" | "failures" | "tokens";

type MeasureRow = {
  label: string;
  amountOf: (item: UsageItem) => number;
  format: (value: number) => string;
};

/** The measures of a chart, in their order. */
export const measures: Readonly<Record<Measure, MeasureRow>> = {
  cost: { label: "Cost", amountOf: ({ totalCost }) => totalCost, format: formatCost },
  executions: {
    label: "Executions",
    amountOf: ({ executionCount }) => executionCount,
    format: formatCount,
  },
  failures: { label: "Failures", amountOf: ({ failedCount }) => failedCount, format: formatCount },
  tokens: {
    label: "Tokens",
    amountOf: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
    format: formatCount,
  },
};

/** The names of the measures. */
export const measureNames: readonly Measure[] = ["cost", "executions", "failures", "tokens"];
