import type { UsageItem } from "../../../client/openapi.ts";
import { formatCount, formatKnownCost } from "../shared/format.ts";

/** The measures of a chart. */
export type Measure = "cost" | "executions" | "failures" | "tokens";

/** A measure: how it is read and formatted. */
export type MeasureRow = {
  label: string;
  getAmount: (item: UsageItem) => number;
  /** Returns whether an amount is known in full. */
  isPriced: (item: UsageItem) => boolean;
  format: (amount: number, priced: boolean) => string;
};

const always = () => true;

/** The measures of a chart, in their order. */
export const measures: Readonly<Record<Measure, MeasureRow>> = {
  cost: {
    label: "Cost",
    getAmount: ({ totalCost }) => totalCost,
    isPriced: ({ unpricedCount }) => unpricedCount === 0,
    format: formatKnownCost,
  },
  executions: {
    label: "Executions",
    getAmount: ({ executionCount }) => executionCount,
    isPriced: always,
    format: formatCount,
  },
  failures: {
    label: "Failures",
    getAmount: ({ failedCount }) => failedCount,
    isPriced: always,
    format: formatCount,
  },
  tokens: {
    label: "Tokens",
    getAmount: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
    isPriced: always,
    format: formatCount,
  },
};

/** The names of the measures. */
export const measureNames: readonly Measure[] = ["cost", "executions", "failures", "tokens"];
