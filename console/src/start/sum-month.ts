import type { UsageItem } from "../../../client/openapi.ts";

type Summed = Pick<UsageItem, "date" | "executionCount" | "unpricedCount" | "totalCost">;

/** Sums the usage of a month; `today` is its cost of one day. Not `priced` if a part has no price. */
export const sumMonth = (items: readonly Summed[], day: string) => ({
  cost: items.reduce((sum, { totalCost }) => sum + totalCost, 0),
  today: items.reduce((sum, { date, totalCost }) => sum + (date === day ? totalCost : 0), 0),
  executions: items.reduce((sum, { executionCount }) => sum + executionCount, 0),
  priced: items.every(({ unpricedCount }) => unpricedCount === 0),
});
