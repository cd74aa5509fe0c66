import type { HttpFunctionRecord } from "../functions/function-records.ts";
import type { Product } from "../functions/product.ts";
import { logGroupName } from "../settings/names.ts";
import { type AlarmSection, inGroups, mostMetrics, type TimedFunction } from "./alarm-row.ts";
import { accessLogMetric, accountMetric, apiMetric, functionMetric } from "./metric-rows.ts";
import { findFailedCalls, rollBack } from "./steps.ts";

/**
 * Operations of every first screen and of scripts. Each authenticates and reads the table a few times, so together they
 * show the latency of what all calls share.
 */
const timedOperations: readonly string[] = [
  "get-agent",
  "get-execution-record",
  "list-agents",
  "list-execution-records",
  "list-tenants",
];
/** Slack repeats a delivery without a response after 3 s; API Gateway and a cold start take a part of that. */
const slowMilliseconds = 2_000;
/** Fewer calls have no meaningful percentile. */
const leastCalls = 20;

/** Returns the functions with their latency that callers notice most. */
export const listTimed = (
  prefix: string,
  functions: readonly HttpFunctionRecord[],
): { calls: readonly TimedFunction[]; deliveries: readonly TimedFunction[] } => {
  const timed = ({ name }: HttpFunctionRecord): TimedFunction => ({
    duration: functionMetric(prefix, name, "Duration", "p95"),
    calls: functionMetric(prefix, name, "Invocations", "Sum"),
  });
  return {
    calls: functions.filter(({ name }) => timedOperations.includes(name)).map(timed),
    deliveries: functions
      .filter(({ method, rows }) => method === "POST" && rows.some(({ inbound }) => inbound))
      .map(timed),
  };
};

/** Alarms on calls that fail. */
export const failedCalls = (prefix: string): AlarmSection => ({
  heading: "Calls fail",
  about:
    "A failure in the product's own code is a 5xx response. A crash, a timeout or a throttled function has no response of the product, so the gateway makes one.",
  alarms: [
    {
      id: "ServerErrors",
      what: "5xx responses of the API",
      watch: { kind: "sum", metrics: [apiMetric(prefix, "5XXError", "Sum")] },
      threshold: 5,
      users: "Calls to the API fail with 5xx, whatever the callers do.",
    },
    {
      id: "BrokenCalls",
      what: "5xx responses that the gateway made, as the function crashed, timed out or was throttled",
      watch: { kind: "sum", metrics: [accessLogMetric(prefix)] },
      threshold: 1,
      users: "A call to the API fails, and its effect may be incomplete.",
    },
    {
      id: "FunctionCrashes",
      what: "crashes and timeouts of any function of the account in the region",
      watch: { kind: "sum", metrics: [accountMetric("Errors", "Sum")] },
      threshold: 1,
      users: "A call, a message or a job ends in a crash or a timeout and has no complete result.",
    },
  ],
  steps: [
    {
      text: "See which function crashes; a function without the prefix is not of this installation.",
      graph: "Crashes by function",
    },
    ...findFailedCalls(prefix),
    rollBack,
    {
      text: "If the table or Lambda throttles, continue with [Capacity is used up](#capacity-is-used-up); if many functions fail without a deployment, open the AWS Health Dashboard.",
      graph: "Throttled reads and writes of the table",
    },
  ],
});

/** Alarms on calls that are slow. */
export const slowCalls = (prefix: string, { http }: Product): AlarmSection => {
  const { calls, deliveries } = listTimed(prefix, http);
  const alarm =
    (id: string, what: string, users: AlarmSection["alarms"][number]["users"]) =>
    ({ suffix, members }: { suffix: string; members: readonly TimedFunction[] }) => ({
      id: `${id}${suffix}`,
      what,
      watch: { kind: "slowest" as const, leastCalls, functions: members },
      threshold: slowMilliseconds,
      unit: "ms" as const,
      periods: 3,
      users,
    });
  const half = mostMetrics / 2;
  return {
    heading: "Calls are slow",
    about: `An alarm watches the 95th percentile of each function with at least ${leastCalls} calls in five minutes, and fires if one is slow for a quarter of an hour.`,
    alarms: [
      ...inGroups(calls, half).map(
        alarm(
          "SlowCalls",
          `duration of ${timedOperations.map((name) => `\`${name}\``).join(", ")}`,
          "Every page of the console and every call takes seconds.",
        ),
      ),
      ...inGroups(deliveries, half).map(
        alarm(
          "SlowDeliveries",
          "duration of functions that receive webhooks and chat messages",
          "Providers repeat deliveries or drop them: Slack waits for 3 seconds.",
        ),
      ),
    ],
    steps: [
      {
        text: "See whether all functions are slow, or one.",
        graph: "Duration of watched calls (p95)",
      },
      {
        text: "If all are slow, see whether the table throttles, and continue with [Capacity is used up](#capacity-is-used-up).",
        graph: "Throttled reads and writes of the table",
      },
      {
        text: "Read the warnings of the slow function, which name the storage that responds late.",
        command: `aws logs tail ${logGroupName(prefix, "AREA")} --since 1h --filter-pattern '{ $.level = "WARN" || $.level = "ERROR" }'`,
      },
      rollBack,
    ],
  };
};
