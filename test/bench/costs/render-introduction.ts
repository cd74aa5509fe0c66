import { computeCost, idleMonth, total } from "./dollars.ts";
import { money } from "./money.ts";
import type { CostInput } from "./render-costs.ts";

const million = 1_000_000;

/** Renders the answer in three sentences, the table of contents and where the figures come from. */
export const renderIntroduction = (input: CostInput): string[] => {
  const { prices, counts } = input;
  const perMillion = (unit: string, seconds: number): string => {
    const count = counts.units[unit];
    if (!count) throw new Error(`There is no unit ${unit}.`);
    return money(total(computeCost(input, unit, count, seconds)) * million);
  };
  const idleDollars = idleMonth(input, counts).reduce((sum, { usd }) => sum + usd, 0);
  return [
    `An idle deployment costs $${money(idleDollars)} a month. A million executions of three steps cost`,
    `$${perMillion("execute, 3 steps", 0)}. A million executions that wait 5 seconds for a model cost $${perMillion("execute, model call", 5)}, because Lambda bills the time that`,
    "a function waits. The price of the model itself comes on top.",
    "",
    "**Some prices are from pages of third parties**, because those of the vendors show their tables only in a browser. [Sources](#sources)",
    "names the page of every price and its date. Check them before you rely on a total.",
    "",
    "- [A million units of work](#a-million-units-of-work)",
    "- [What is counted](#what-is-counted)",
    "- [Deliveries by rate](#deliveries-by-rate)",
    "- [A year of waiting](#a-year-of-waiting)",
    "- [A month without use](#a-month-without-use)",
    "- [With a web ACL](#with-a-web-acl)",
    "- [What AWS bills](#what-aws-bills)",
    "- [The same elsewhere](#the-same-elsewhere)",
    "- [Sources](#sources)",
    "",
    "All costs are counted work times list prices, in US dollars, without free tiers, discounts, taxes and storage.",
    "",
    "| Input                          | From                                                                     |",
    "| ------------------------------ | ------------------------------------------------------------------------ |",
    "| work                           | `npm run bench -- --only calls --json test/bench/costs/counts.json` ([benchmarks](benchmarks.md#calls)) |",
    `| prices (${prices.region})             | \`test/bench/costs/prices.json\`                                          |`,
    "| functions, alarms and keys     | the templates                                                            |",
    "",
  ];
};
