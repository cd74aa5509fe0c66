import { type Cell, renderRows } from "../table.ts";
import { computeCost, type Dollars, idleMonth, total } from "./dollars.ts";
import { money } from "./money.ts";
import type { Others } from "./prices.ts";
import type { CostInput } from "./render-costs.ts";

const million = 1_000_000;
const hoursPerMonth = 730;

/** Work that every product is priced for; operations are those of a durable function: the start and each step. */
type SameWork = {
  column: string;
  unit: string;
  model: boolean;
  agents: number;
  operations: number;
};

const works: readonly SameWork[] = [
  { column: "three steps", unit: "execute, 3 steps", model: false, agents: 1, operations: 4 },
  {
    column: "three steps, model",
    unit: "execute, model call",
    model: true,
    agents: 1,
    operations: 4,
  },
  {
    column: "webhook, one agent, model",
    unit: "push, model call",
    model: true,
    agents: 1,
    operations: 2,
  },
  {
    column: "webhook, ten agents, model",
    unit: "push, 10 model calls",
    model: true,
    agents: 10,
    operations: 20,
  },
  { column: "scheduled run, model", unit: "scheduled run", model: true, agents: 1, operations: 2 },
];

/** Renders what the same work costs elsewhere, by the vendors' public prices. */
export const renderOthers = (input: CostInput): string[] => {
  const { prices, counts } = input;
  const seconds = Math.max(...prices.assumptions.modelSeconds);
  const idle = idleMonth(input, counts).reduce((sum, { usd }) => sum + usd, 0);
  const priced = ({ unit, model }: SameWork): Dollars | undefined => {
    const count = counts.units[unit];
    return count && computeCost(input, unit, count, model ? seconds : 0);
  };
  const cells = (cell: (work: SameWork) => string): string[] => works.map(cell);
  const { langSmith, dify, n8n, durable } = prices.others;
  const rows: Cell[][] = [
    [
      "Wharf",
      ...cells((work) => {
        const dollars = priced(work);
        return dollars ? format(total(dollars) * million) : "";
      }),
      `$${money(idle)}`,
    ],
    [
      durable.name,
      ...cells((work) => {
        const dollars = priced(work);
        if (!dollars) return "";
        const { gateway, lambda, logs, scheduler } = dollars;
        const usd = (gateway + lambda + logs + scheduler) * million;
        return format(usd + durable.operationUsdPerMillion * work.operations);
      }),
      "0",
    ],
    [
      n8n.name,
      ...cells(({ agents }) => n8nRange(n8n, agents)),
      n8n.plans.map(({ name, eurPerMonth }) => `${name} €${eurPerMonth}`).join(", "),
    ],
    [
      dify.name,
      ...cells(({ unit, agents }) =>
        unit.startsWith("execute")
          ? "not sold by call"
          : format(difyTrigger(dify) * agents * million),
      ),
      `Professional ${format(dify.professionalUsdPerYear / 12)}, Team ${format(dify.teamUsdPerYear / 12)} a workspace`,
    ],
    [
      langSmith.name,
      ...cells(() => "by resources"),
      `${format(smallestPerMonth(langSmith))} dedicated, small`,
    ],
  ];
  return [
    "## The same elsewhere",
    "",
    "The same work at other products: a million of each, at public prices, without the price of the model. In the columns with",
    `\`model\`, each agent waits ${seconds} s for one call. The last column is the fixed price of a month.`,
    "",
    renderRows({ columns: ["", ...cells(({ column }) => column), "fixed, a month"], rows }),
    "",
    ...explanations(prices.others),
    "",
  ];
};

const explanations = ({ langSmith, dify, n8n, durable }: Others): string[] => [
  "- Wharf: the tables above, with the default settings and requests through CloudFront.",
  `- ${durable.name}: ${format(durable.operationUsdPerMillion)} a million operations (the start and each step), plus the same gateway, Lambda, log and Scheduler`,
  "  costs as Wharf, with the waits. API keys, tenants, lists of records, triggers and chats are not included and cost extra. Data written",
  `  costs ${format(durable.writtenGigabyteUsd)} a GB, and ${format(durable.retainedGigabyteMonthUsd)} a GB and month while it is kept.`,
  `- ${n8n.name}: a plan includes a number of executions (${n8n.plans.map(({ name, executionsPerMonth }) => `${name} ${executionsPerMonth.toLocaleString("en-US")}`).join(", ")}). No public plan`,
  "  includes a million, so the range is the price of an execution in the cheapest and in the most expensive plan. Waits cost nothing. Ten",
  "  agents are ten workflows; one workflow that does the work of all ten would be one execution.",
  `- ${dify.name}: a workspace has a price, paid yearly. Professional includes ${dify.professionalTriggersPerMonth.toLocaleString("en-US")} trigger events a month. Team limits neither`,
  "  trigger events nor API calls, so a million may cost no more than the plan. Its throughput is not published.",
  `- ${langSmith.name}: bills resources. The number of runs that a deployment can do is not published, so a price of a`,
  "  million runs cannot be computed. Waits cost nothing extra. The small dedicated size",
  `  (${langSmith.smallest.processors} processors, ${langSmith.smallest.gibibytes} GiB, database ${langSmith.smallest.databaseProcessors} and ${langSmith.smallest.databaseGibibytes} GiB, as third parties report) runs all month and costs ${format(langSmith.seatUsd)} a seat`,
  "  extra. Serverless deployments, which scale to zero, bill only their time.",
];

const difyTrigger = (dify: Others["dify"]): number =>
  dify.professionalUsdPerYear / 12 / dify.professionalTriggersPerMonth;

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

const n8nRange = ({ plans }: Others["n8n"], executions: number): string => {
  const prices = plans.map(
    (plan) => (plan.eurPerMonth / plan.executionsPerMonth) * executions * million,
  );
  const [least, most] = [Math.min(...prices), Math.max(...prices)].map((price) =>
    Math.round(price).toLocaleString("en-US"),
  );
  return `€${least} to €${most}`;
};

const format = (usd: number): string => {
  if (usd >= 100) return `$${Math.round(usd).toLocaleString("en-US")}`;
  return usd < 1 && usd * 100 !== Math.round(usd * 100) ? `$${usd}` : `$${usd.toFixed(2)}`;
};
