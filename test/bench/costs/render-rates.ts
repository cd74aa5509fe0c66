import { type Cell, renderRows } from "../table.ts";
import { computeCost, total } from "./dollars.ts";
import { money } from "./money.ts";
import type { CostInput } from "./render-costs.ts";

const million = 1_000_000;

/** Renders what deliveries to one agent cost by their rate. */
export const renderRates = (input: CostInput): string[] => [
  "## Deliveries by rate",
  "",
  "A million pushes to one agent, each to the end of its execution, without a model.",
  "",
  renderRows({
    columns: [
      "pushes a second",
      "invocations",
      "calls",
      "write units",
      "SQS",
      "DynamoDB, $",
      "total, $",
    ],
    rows: Object.entries(input.counts.rates).map(([perSecond, count]): Cell[] => {
      const dollars = computeCost(input, "push, 1 agent", count, 0);
      return [
        perSecond,
        count.invocations,
        count.calls,
        count.writeUnits,
        count.queueRequests + count.pollerRequests,
        money(dollars.dynamodb * million),
        money(total(dollars) * million),
      ];
    }),
  }),
  "",
  "Counts are those of one push. The faster pushes come, the more of them a function takes in a call, up to ten: it reads subscriptions and",
  "agents once, and writes their executions together. The batches are those of the local pollers, which do not wait for a batch to fill; the",
  "local stack takes fewer than 100 a second, so that most of its batches are full then. Lambda's pollers may form smaller ones.",
  "",
];
