import type { Counts } from "../count-unit.ts";
import { type Cell, renderRows } from "../table.ts";
import { computeCost, getPrice, type Pricing, total } from "./dollars.ts";
import { money } from "./money.ts";

const million = 1_000_000;
const months = 12;
const gigabyte = 1e9;

/** Renders what executions cost that wait a year for a decision. */
export const renderWaiting = (input: Pricing & { counts: Counts }): string[] => {
  const { prices, counts } = input;
  const { waitingBytes } = prices.assumptions;
  const costs = (unit: string): number => {
    const count = counts.units[unit];
    return count ? total(computeCost(input, unit, count, undefined)) : 0;
  };
  const parts = [
    ["to begin (`execute, approval`)", costs("execute, approval")],
    ["one schedule", getPrice(prices, "schedule")],
    [
      `${waitingBytes} bytes in the table for ${months} months`,
      (waitingBytes / gigabyte) * months * getPrice(prices, "tableGigabyte"),
    ],
    ["to decide and end (`decide approval`)", costs("decide approval")],
  ] as const;
  const sum = parts.reduce((all, [, usd]) => all + usd, 0);
  return [
    "## A year of waiting",
    "",
    "A million executions that each wait a year for one decision. No function runs in the meantime.",
    "",
    renderRows({
      columns: ["a million of", "$"],
      rows: [...parts, ["total", sum] as const].map(([name, usd]): Cell[] => [
        name,
        money(usd * million),
      ]),
    }),
    "",
    "The table has the execution's record, its finished steps, the wait and the approval, with the hundred bytes that DynamoDB adds to",
    "an item and to its index. Larger inputs, outputs and `data` add their bytes. Point-in-time recovery is billed by GB and month, too, and",
    "is not included.",
    "",
  ];
};
