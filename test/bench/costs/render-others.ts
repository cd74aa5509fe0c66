import { type Cell, renderRows } from "../table.ts";
import { dollarsOf, total } from "./dollars.ts";
import type { Others } from "./prices.ts";
import type { CostInput } from "./render-costs.ts";

const million = 1_000_000;
const hoursPerMonth = 730;

/** Renders what the same work costs elsewhere, by the vendors' public prices. */
export const renderOthers = ({ prices, now }: CostInput): string[] => {
  const ours = (name: string): string => {
    const count = now.units[name];
    const isScheduled = name === "scheduled run";
    return count ? dollars(total(dollarsOf(prices, count, { isScheduled })) * million) : "";
  };
  const { langSmith, dify, n8n, durable } = prices.others;
  const rows: Cell[][] = [
    [
      "Wharf",
      ours("execute, 3 steps"),
      ours("push, 1 agent"),
      ours("push, 10 agents"),
      ours("scheduled run"),
      "see above",
    ],
    [
      langSmith.name,
      `${dollars(langSmith.runUsd * million)} until 2026-10-01, then by resources`,
      "the same",
      "ten times that",
      "the same",
      `${dollars(smallestPerMonth(langSmith))} dedicated, small`,
    ],
    [
      dify.name,
      "not sold by execution",
      `${dollars(((dify.professionalUsdPerYear / 12) * million) / dify.professionalTriggersPerMonth)} (Professional)`,
      "ten triggers",
      "as a trigger",
      `${dollars(dify.professionalUsdPerYear / 12)} to ${dollars(dify.teamUsdPerYear / 12)} a workspace`,
    ],
    [
      n8n.name,
      ...Array.from({ length: 2 }, () => n8nRange(n8n)),
      "one to ten times that",
      n8nRange(n8n),
      n8n.plans.map(({ eurPerMonth }) => `€${eurPerMonth}`).join(", "),
    ],
    [
      durable.name,
      `${dollars(durable.operationUsdPerMillion * 4)} and Lambda`,
      `${dollars(durable.operationUsdPerMillion * 2)} and Lambda, gateway`,
      `${dollars(durable.operationUsdPerMillion * 20)} and Lambda, gateway`,
      `${dollars(durable.operationUsdPerMillion * 2)} and Lambda`,
      "0",
    ],
  ];
  return [
    "## The same elsewhere",
    "",
    "A million of each, by public prices, without model tokens.",
    "",
    renderRows({
      columns: [
        "",
        "execution of three steps",
        "webhook, one agent",
        "webhook, ten agents",
        "scheduled run",
        "idle month",
      ],
      rows,
    }),
    "",
    ...explanations(prices.others),
    "",
  ];
};

const explanations = ({ langSmith, dify, n8n, durable }: Others): string[] => [
  `- ${langSmith.name}: until 2026-10-01 ${dollars(langSmith.runUsd)} for each run of an agent, besides the`,
  "  deployment's uptime (https://github.com/langchain-ai/docs/pull/1615, 2025-11-24). Since then it",
  "  bills resources, and how many runs a deployment of a given size does is not published, so no price of a million runs",
  `  can be computed. The small dedicated size (${langSmith.smallest.processors} processors, ${langSmith.smallest.gibibytes} GiB, database ${langSmith.smallest.databaseProcessors} and ${langSmith.smallest.databaseGibibytes} GiB, sizes as third parties`,
  `  report them) runs all month, plus ${dollars(langSmith.seatUsd)} a seat. Serverless deployments, which scale to zero, bill only their time.`,
  `- ${dify.name}: a workspace has a price, paid yearly. Professional contains ${dify.professionalTriggersPerMonth.toLocaleString("en-US")} trigger events a month; Team has no`,
  "  limit on them, nor on API calls, so a million may cost no more than the plan. Its throughput is not published.",
  `- ${n8n.name}: a plan contains a number of executions (${n8n.plans.map(({ name, executionsPerMonth }) => `${name} ${executionsPerMonth.toLocaleString("en-US")}`).join(", ")}); no plan on the page has`,
  "  a million, so the range is the price of one execution in the cheapest and the dearest plan. Ten agents are one",
  "  execution if one workflow does the work of all.",
  `- ${durable.name}: an operation is the start and each step. It has no API keys, tenants, records to list, triggers or chats:`,
  `  what calls it comes on top. Data written costs ${dollars(durable.writtenGigabyteUsd)} a GB, and ${dollars(durable.retainedGigabyteMonthUsd)} a GB and month while it is kept.`,
];

const smallestPerMonth = ({ smallest, ...rates }: Others["langSmith"]): number => {
  const runtime =
    (smallest.processors * rates.runtimeProcessorLcu +
      smallest.gibibytes * rates.runtimeGibibyteLcu) *
    rates.lcuUsd;
  const database =
    (smallest.databaseProcessors * rates.databaseProcessorLsu +
      smallest.databaseGibibytes * rates.databaseGibibyteLsu) *
    rates.lsuUsd;
  return (runtime + database) * hoursPerMonth;
};

const n8nRange = ({ plans }: Others["n8n"]): string => {
  const each = plans.map((plan) => (plan.eurPerMonth / plan.executionsPerMonth) * million);
  return `€${Math.round(Math.min(...each)).toLocaleString("en-US")} to €${Math.round(Math.max(...each)).toLocaleString("en-US")}`;
};

const dollars = (usd: number): string => {
  if (usd >= 100) return `$${Math.round(usd).toLocaleString("en-US")}`;
  return usd < 1 && usd * 100 !== Math.round(usd * 100) ? `$${usd}` : `$${usd.toFixed(2)}`;
};
