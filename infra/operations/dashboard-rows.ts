import { tableAttributes } from "../../lib/platform/db/table.ts";
import { queueNames } from "../../lib/platform/queue/queues.ts";
import { deadLetterQueueName, queueName } from "../settings/names.ts";
import type { Deployment } from "./alarm-plan.ts";
import type { MetricRow } from "./alarm-row.ts";
import { listTimed } from "./call-alarms.ts";
import { listTableThrottles } from "./capacity-alarms.ts";
import {
  accessLogMetric,
  accountMetric,
  apiMetric,
  functionMetric,
  productMetric,
  queueMetric,
  scheduleMetric,
  tableMetric,
} from "./metric-rows.ts";

/** A line of a graph: a metric, or every metric that a search finds. */
export type LineRow = { label: string; metric: MetricRow } | { label: string; search: string };

/** A graph of the dashboard. The steps of alarms name it by its title. */
export type GraphRow = { title: string; unit: string; lines: readonly LineRow[] };

const lines = (metrics: readonly MetricRow[], label: (metric: MetricRow) => string): LineRow[] =>
  metrics.map((metric) => ({ label: label(metric), metric }));

const nameTarget = (index: string | undefined): string => {
  switch (index) {
    case undefined:
      return "table";
    case tableAttributes.recordsIndex:
      return "index of records";
    default:
      return "index";
  }
};

/** Metrics of the functions with the prefix of the installation. CloudWatch searches words of a dimension. */
const searchFunctions = (prefix: string, metric: string): LineRow => ({
  label: "",
  search: `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metric}" FunctionName=${prefix}', 'Sum', 300)`,
});

const callGraphs = ({ config, product }: Deployment): GraphRow[] => {
  const prefix = config.STACK_PREFIX;
  const { calls, deliveries } = listTimed(prefix, product.http);
  return [
    {
      title: "Calls of the API",
      unit: "calls",
      lines: [
        { label: "all", metric: apiMetric(prefix, "Count", "Sum") },
        { label: "4xx", metric: apiMetric(prefix, "4XXError", "Sum") },
        { label: "5xx", metric: apiMetric(prefix, "5XXError", "Sum") },
        { label: "without a response of the product", metric: accessLogMetric(prefix) },
      ],
    },
    {
      title: "Latency of all calls, with agents and models",
      unit: "ms",
      lines: ["p50", "p95", "p99"].map((statistic) => ({
        label: statistic,
        metric: apiMetric(prefix, "Latency", statistic),
      })),
    },
    {
      title: "Duration of watched calls (p95)",
      unit: "ms",
      lines: lines(
        [...calls, ...deliveries].map(({ duration }) => duration),
        ({ dimensions }) => dimensions.FunctionName ?? "",
      ),
    },
    {
      title: "Crashes by function",
      unit: "crashes",
      lines: [searchFunctions(prefix, "Errors")],
    },
  ];
};

const queueGraphs = ({ config }: Deployment): GraphRow[] => {
  const prefix = config.STACK_PREFIX;
  const byQueue = (name: string): LineRow[] =>
    queueNames.map((queue) => ({
      label: queue,
      metric: queueMetric(queueName(prefix, queue), name),
    }));
  return [
    {
      title: "Messages that wait",
      unit: "messages",
      lines: byQueue("ApproximateNumberOfMessagesVisible"),
    },
    {
      title: "Age of the oldest message",
      unit: "s",
      lines: [
        ...byQueue("ApproximateAgeOfOldestMessage"),
        {
          label: "deferred work since its first sending",
          metric: productMetric(prefix, "DeferredWorkAge", "Maximum"),
        },
      ],
    },
    {
      title: "Dead letters",
      unit: "messages",
      lines: queueNames.map((queue) => ({
        label: queue,
        metric: queueMetric(
          deadLetterQueueName(prefix, queue),
          "ApproximateNumberOfMessagesVisible",
        ),
      })),
    },
  ];
};

const workGraphs = ({ config, product }: Deployment): GraphRow[] => {
  const prefix = config.STACK_PREFIX;
  return [
    {
      title: "Runs of jobs",
      unit: "runs",
      lines: product.schedules.map(({ name }) => ({
        label: name,
        metric: functionMetric(prefix, name, "Invocations", "Sum"),
      })),
    },
    {
      title: "Scheduled runs of agents",
      unit: "runs",
      lines: [
        { label: "sent", metric: scheduleMetric(prefix, "InvocationAttemptCount") },
        { label: "refused", metric: scheduleMetric(prefix, "TargetErrorCount") },
        { label: "dropped", metric: scheduleMetric(prefix, "InvocationDroppedCount") },
      ],
    },
    {
      title: "Safeguards that were off",
      unit: "times",
      lines: (
        ["IdempotencyWriteFailed", "RateLimitCounterFailed", "TenantSlotsFailed"] as const
      ).map((name) => ({ label: name, metric: productMetric(prefix, name, "Sum") })),
    },
  ];
};

const capacityGraphs = ({ config, table }: Deployment): GraphRow[] => [
  {
    title: "Concurrent functions of the account",
    unit: "functions",
    lines: [
      { label: "running", metric: accountMetric("ConcurrentExecutions", "Maximum") },
      { label: "throttled", metric: accountMetric("Throttles", "Sum") },
    ],
  },
  {
    title: "Throttles by function",
    unit: "throttles",
    lines: [searchFunctions(config.STACK_PREFIX, "Throttles")],
  },
  {
    title: "Units of the table",
    unit: "units",
    lines: [
      { label: "reads of the table", metric: tableMetric({ table }, "ConsumedReadCapacityUnits") },
      {
        label: "writes of the table",
        metric: tableMetric({ table }, "ConsumedWriteCapacityUnits"),
      },
      {
        label: "reads of the index",
        metric: tableMetric({ table, index: tableAttributes.index }, "ConsumedReadCapacityUnits"),
      },
      {
        label: "writes of the index",
        metric: tableMetric({ table, index: tableAttributes.index }, "ConsumedWriteCapacityUnits"),
      },
      {
        label: "reads of the index of records",
        metric: tableMetric(
          { table, index: tableAttributes.recordsIndex },
          "ConsumedReadCapacityUnits",
        ),
      },
      {
        label: "writes of the index of records",
        metric: tableMetric(
          { table, index: tableAttributes.recordsIndex },
          "ConsumedWriteCapacityUnits",
        ),
      },
    ],
  },
  {
    title: "Throttled reads and writes of the table",
    unit: "throttles",
    lines: lines(
      listTableThrottles(table),
      ({ name, dimensions }) =>
        `${name === "ReadThrottleEvents" ? "reads" : "writes"} of the ${nameTarget(dimensions.GlobalSecondaryIndexName)}`,
    ),
  },
];

/** Metrics of Bedrock by model, which all callers in the account share. The product has no metric of other providers. */
const modelGraphs: readonly GraphRow[] = [
  { title: "Calls of Bedrock models", unit: "calls", metric: "Invocations" },
  { title: "Tokens that Bedrock models wrote", unit: "tokens", metric: "OutputTokenCount" },
].map(({ metric, ...graph }) => ({
  ...graph,
  lines: [
    { label: "", search: `SEARCH('{AWS/Bedrock,ModelId} MetricName="${metric}"', 'Sum', 300)` },
  ],
}));

/** Returns the graphs of the dashboard from the rows of a deployment. */
export const planDashboard = (deployment: Deployment): readonly GraphRow[] => [
  ...callGraphs(deployment),
  ...queueGraphs(deployment),
  ...workGraphs(deployment),
  ...capacityGraphs(deployment),
  ...modelGraphs,
];
