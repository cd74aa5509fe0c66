import { tableAttributes } from "../../lib/platform/db/table.ts";
import {
  type LogMessage,
  logMessages,
  type MetricWithUnit,
} from "../../lib/platform/runtime/telemetry.ts";
import type { Config } from "../settings/config.ts";
import { logGroupName } from "../settings/names.ts";
import type { AlarmSection, MetricRow, Sentence } from "./alarm-row.ts";
import { accountMetric, productMetric, tableMetric } from "./metric-rows.ts";

/** Part of the account's quota at which few functions are left. */
const highestShare = 0.8;

/** Returns the reads and writes of the table and its indexes that DynamoDB throttled. */
export const listTableThrottles = (table: string): readonly MetricRow[] =>
  [
    { table },
    { table, index: tableAttributes.index },
    { table, index: tableAttributes.recordsIndex },
  ].flatMap((target) => [
    tableMetric(target, "ReadThrottleEvents"),
    tableMetric(target, "WriteThrottleEvents"),
  ]);

/** Alarms on quotas that are used up. */
export const capacity = (
  { STACK_PREFIX: prefix, ACCOUNT_CONCURRENCY: quota }: Config,
  table: string,
): AlarmSection => ({
  heading: "Capacity is used up",
  about:
    "The quota of concurrent functions is that of the account in the region, so other functions of the account count, too.",
  alarms: [
    {
      id: "Concurrency",
      what: "concurrent functions of the account in the region",
      watch: { kind: "sum", metrics: [accountMetric("ConcurrentExecutions", "Maximum")] },
      threshold: Math.floor(quota * highestShare),
      users: "Calls will soon be refused: little Lambda concurrency is left.",
    },
    {
      id: "Throttles",
      what: "throttled calls of any function of the account in the region",
      watch: { kind: "sum", metrics: [accountMetric("Throttles", "Sum")] },
      threshold: 1,
      users:
        "Calls are refused with 503, messages wait, or a job is late: a function has no concurrency left.",
    },
    {
      id: "TableThrottles",
      what: "reads and writes of the table and its indexes that DynamoDB throttled",
      watch: { kind: "sum", metrics: listTableThrottles(table) },
      threshold: 10,
      users: "Calls are slow or fail with 503, as DynamoDB throttles reads or writes.",
    },
  ],
  steps: [
    {
      text: "See which functions are throttled. One function at its reserved concurrency is a burst of its callers; many are the quota of the account.",
      graph: "Throttles by function",
    },
    {
      text: "For the quota of the account, request a higher one, then set `ACCOUNT_CONCURRENCY` to it and deploy.",
      command:
        "aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 3000",
    },
    {
      text: "Until then, lower the share of the queues, so that calls have more.",
      command: "QUEUE_CONCURRENCY=10 npm run deploy",
    },
    {
      text: "For the table, see whether reads or writes are throttled. It adapts to a higher load within minutes; a single hot partition does not.",
      graph: "Throttled reads and writes of the table",
    },
    {
      text: "If throttling lasts, read the errors of the functions, which name the operation with the load.",
      command: `aws logs tail ${logGroupName(prefix, "AREA")} --since 1h --filter-pattern '{ $.level = "ERROR" }'`,
    },
  ],
});

type Safeguard = {
  metric: MetricWithUnit<"count">;
  what: string;
  threshold: number;
  users: Sentence;
};

/** The product's counters of work that continued without a safeguard, because its write failed. */
const safeguards: readonly Safeguard[] = [
  {
    metric: "IdempotencyWriteFailed",
    what: "responses that could not be stored for a repeated request",
    threshold: 1,
    users: "A client that repeats its request may start the work twice.",
  },
  {
    metric: "RateLimitCounterFailed",
    what: "requests that were admitted without a rate limit",
    threshold: 10,
    users: "Clients have no rate limit, so one of them can slow down the others.",
  },
  {
    metric: "TenantSlotsFailed",
    what: "units of work that ran outside the limit of their tenant",
    threshold: 10,
    users: "One tenant may use the functions of the others.",
  },
];

/** Log messages next to these counters. */
const messages: readonly LogMessage[] = [
  "idempotency-write-failed",
  "rate-limit-counter-failed",
  "slot-not-taken",
];

const matchMessage = (name: LogMessage): string =>
  `$.message = "${logMessages[name].text.replace("{operation}", "*")}"`;

/** Alarms on safeguards that are off while their storage fails. */
export const openSafeguards = (prefix: string): AlarmSection => ({
  heading: "A safeguard is off",
  about:
    "If the table does not accept the write of a safeguard, work continues without it, and a metric of the product counts that.",
  alarms: safeguards.map(({ metric, ...row }) => ({
    id: metric,
    watch: { kind: "sum", metrics: [productMetric(prefix, metric, "Sum")] },
    ...row,
  })),
  steps: [
    {
      text: "See whether the table throttles, and continue with [Capacity is used up](#capacity-is-used-up).",
      graph: "Throttled reads and writes of the table",
    },
    {
      text: "Otherwise read the errors of the storage. AREA is a stack with functions, such as `Agents` or `Workers`.",
      command: `aws logs tail ${logGroupName(prefix, "AREA")} --since 1h --filter-pattern '{ ${messages.map(matchMessage).join(" || ")} }'`,
    },
    {
      text: "After a failed write of a response, the client of the request may have to remove what the operation created twice.",
    },
  ],
});
