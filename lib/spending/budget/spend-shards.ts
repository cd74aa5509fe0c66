import { spendShards } from "./keys.ts";
import { toMonthPeriod } from "./month.ts";

/**
 * A budget that covers fewer calls is used up within 10 seconds at 1,000 executions a second: its spending is one
 * item, which is exact.
 */
const callsOfLargeBudget = 10_000;

/** Returns whether US dollars are so little of a budget's amount that they are reserved and counted in a shard. */
export const isSmall = (dollars: number, amount: number): boolean =>
  dollars * callsOfLargeBudget <= amount;

/** Returns the shard that an execution's small amounts are in. */
export const selectSpendShard = (executionId: string): number =>
  Number.parseInt(executionId.slice(-2), 16) % spendShards;

const keptMs = 35 * 24 * 3_600_000;

/** Returns when a shard of the month of a time may be removed, epoch seconds. */
export const computeShardTtl = (time: number): number =>
  Math.ceil((toMonthPeriod(time).periodEnd + keptMs) / 1_000);
