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
  "Counts are those of one push. A function takes up to ten pushes in a call, reads subscriptions and agents once, and writes their",
  "executions together (`10 pushes in a batch`, above). Pollers do not wait for a batch to fill, so batches form only where pushes come",
  "faster than functions take them. The batches are those of the local pollers; Lambda's may form others. A row is a round of 10, 100 or",
  "1,000 pushes (the median of three), divided by their number, so it includes calls that not every push makes. `push, 1 agent` above is",
  "the median of single pushes.",
  "",
];
