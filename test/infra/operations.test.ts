import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { deriveArea } from "../../infra/functions/areas.ts";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { planAlarms } from "../../infra/operations/alarm-plan.ts";
import { planDashboard } from "../../infra/operations/dashboard-rows.ts";
import { renderOperations } from "../../infra/operations/render-operations.ts";
import { readConfig } from "../../infra/settings/config.ts";
import { metricDimension, metrics } from "../../lib/platform/runtime/telemetry.ts";
import { findLambda, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

const functions = everyFunction(product);
const deployment = { config: readConfig({}), product, table: "TABLE" };
const sections = planAlarms(deployment);

const Metric = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
});
const Alarm = z.looseObject({
  ...Metric.partial().shape,
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.unknown()),
  Threshold: z.number(),
  Metrics: z
    .array(
      z.object({
        Expression: z.string().optional(),
        MetricStat: z.object({ Metric }).optional(),
      }),
    )
    .optional(),
});

/** The alarms of the templates with the metrics that they evaluate. */
const listAlarms = () =>
  stacks.resources("AWS::CloudWatch::Alarm").map(({ Properties }) => {
    const alarm = Alarm.parse(Properties);
    const inMath = alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    return { ...alarm, metrics: inMath ?? [Metric.parse(Properties)] };
  });

const dimension = ({ Dimensions }: z.output<typeof Metric>, name: string): unknown =>
  Dimensions.find(({ Name }) => Name === name)?.Value;

/** Returns the alarms that watch a metric, with the value of one of its dimensions or without dimensions. */
const findWatching = (name: string, dimensionName?: string, value?: string) =>
  listAlarms().filter((alarm) =>
    alarm.metrics.some(
      (metric) =>
        metric.MetricName === name &&
        (dimensionName === undefined
          ? metric.Dimensions.length === 0
          : dimension(metric, dimensionName) === value),
    ),
  );

test("a deployment has at most 60 alarms, which evaluate at most 120 metrics", () => {
  const alarms = listAlarms();
  const others = stacks
    .resources()
    .filter(({ Type }) => /CompositeAlarm|AnomalyDetector/.test(Type));
  expect(alarms.length + others.length).toBeLessThanOrEqual(60);
  expect(alarms.flatMap((alarm) => alarm.metrics).length).toBeLessThanOrEqual(120);
  // A query would be billed by the metrics that it finds.
  expect(JSON.stringify(alarms)).not.toMatch(/SELECT |SEARCH\(/);
});

test("every alarm states its effect on users, has a target, and watches at most ten metrics", () => {
  const rows = sections.flatMap(({ alarms }) => alarms);
  const alarms = listAlarms();
  expect(alarms.map(({ AlarmName }) => AlarmName).toSorted()).toEqual(
    rows.map(({ id }) => `Wharf-${id}`).toSorted(),
  );
  for (const alarm of alarms) {
    expect(alarm.AlarmDescription).toMatch(/^[A-Z].+ .+\. See ".+" in docs\/operations\.md\.$/);
    expect(alarm.AlarmActions).toHaveLength(1);
    expect(alarm.metrics.length).toBeLessThanOrEqual(10);
  }
});

describe("a failure is watched", () => {
  test("crashes and throttles of every function by the metrics of all functions, from the first", () => {
    for (const name of ["Errors", "Throttles"]) {
      const [alarm, ...others] = findWatching(name);
      expect(alarm).toMatchObject({ Threshold: 1, Namespace: "AWS/Lambda" });
      expect(others).toEqual([]);
    }
  });

  test("crashes of every consumer and job by name", () => {
    for (const { name } of [...product.workers, ...product.schedules]) {
      expect(findWatching("Errors", "FunctionName", `Wharf-${name}`), name).toHaveLength(1);
    }
    for (const { name } of product.workers) {
      expect(
        findWatching("RecursiveInvocationsDropped", "FunctionName", `Wharf-${name}`),
        name,
      ).toHaveLength(1);
    }
  });

  test("calls without a response of the product, by fields that the access log has", () => {
    const [filter, ...others] = stacks.resources("AWS::Logs::MetricFilter");
    expect(others).toEqual([]);
    const { FilterPattern, MetricTransformations } = z
      .object({
        FilterPattern: z.string(),
        MetricTransformations: z.array(
          z.object({ MetricName: z.string(), MetricNamespace: z.string() }),
        ),
      })
      .parse(filter?.Properties);
    const format = z
      .object({ AccessLogSetting: z.object({ Format: z.string() }) })
      .parse(stacks.resources("AWS::ApiGateway::Stage")[0]?.Properties).AccessLogSetting.Format;
    expect(JSON.parse(format)).toMatchObject({
      status: "$context.status",
      error: "$context.error.responseType",
    });
    expect(FilterPattern).toBe('{ $.status = "5*" && $.error != "-" }');
    const [{ MetricName = "", MetricNamespace = "" } = {}] = MetricTransformations;
    expect(findWatching(MetricName)).toMatchObject([{ Threshold: 1, Namespace: MetricNamespace }]);
  });

  test("dead letters and waiting work of every queue", () => {
    const queues = stacks
      .resources("AWS::SQS::Queue")
      .map(({ Properties }) => String(Properties.QueueName));
    for (const queue of queues) {
      const metric = queue.includes("dead-letters")
        ? "ApproximateNumberOfMessagesVisible"
        : "ApproximateAgeOfOldestMessage";
      expect(findWatching(metric, "QueueName", queue), queue).toHaveLength(1);
    }
  });

  test("every metric of the catalogue, with the namespace and the dimension that the functions write", () => {
    const [[name = "", value = ""] = []] = Object.entries(metricDimension);
    for (const metric of Object.keys(metrics)) {
      const [alarm, ...others] = findWatching(metric, name, value);
      expect(others).toEqual([]);
      expect(alarm?.Namespace, metric).toBe(
        findLambda(stacks, "run-execution").environment.METRICS_NAMESPACE,
      );
    }
  });

  test("slow calls and slow deliveries, in periods with enough calls", () => {
    const slow = listAlarms().filter(({ AlarmName }) => AlarmName.startsWith("Wharf-Slow"));
    const watched = slow.flatMap((alarm) =>
      alarm.metrics.map((metric) => `${dimension(metric, "FunctionName")} ${metric.MetricName}`),
    );
    for (const name of ["get-agent", "list-tenants", "deliver-webhook", "deliver-message"]) {
      expect(watched).toContain(`Wharf-${name} Duration`);
      expect(watched).toContain(`Wharf-${name} Invocations`);
    }
    for (const { Metrics } of slow) {
      const [expression] = (Metrics ?? []).flatMap((metric) => metric.Expression ?? []);
      expect(expression).toMatch(/^MAX\(\[IF\(FILL\(c0, 0\) >= 20, FILL\(d0, 0\), 0\)/);
    }
  });

  test("every watched function, queue, API and schedule group is in the templates", () => {
    const names = new Set(
      stacks.resources().flatMap(({ Properties }) => Object.values(Properties)),
    );
    for (const { AlarmName, metrics } of listAlarms()) {
      for (const name of ["FunctionName", "QueueName", "ApiName", "ScheduleGroup"]) {
        const watched = metrics.map((metric) => dimension(metric, name)).filter(Boolean);
        for (const value of watched) expect(names, AlarmName).toContain(value);
      }
    }
  });
});

describe("the dashboard", () => {
  const readBody = (): string => {
    const [dashboard, ...others] = stacks.resources("AWS::CloudWatch::Dashboard");
    expect(others).toEqual([]);
    return JSON.stringify(dashboard?.Properties.DashboardBody).replaceAll('\\"', '"');
  };

  test("shows the state of every alarm and every queue with its age and its dead letters", () => {
    const body = readBody();
    for (const { id } of stacks.resources("AWS::CloudWatch::Alarm"))
      expect(body).toContain(`"${id}"`);
    for (const { Properties } of stacks.resources("AWS::SQS::Queue")) {
      const name = String(Properties.QueueName);
      expect(body).toContain(`"ApproximateNumberOfMessagesVisible","QueueName","${name}"`);
      if (name.includes("dead-letters")) continue;
      expect(body).toContain(`"ApproximateAgeOfOldestMessage","QueueName","${name}"`);
    }
  });

  test("has every graph that a step of an alarm names", () => {
    const body = readBody();
    const titles = planDashboard(deployment).map(({ title }) => title);
    for (const title of titles) expect(body).toContain(`"title":"${title}"`);
    const named = sections.flatMap(({ steps }) => steps.flatMap(({ graph }) => graph ?? []));
    expect(titles).toEqual(expect.arrayContaining(named));
  });
});

describe("docs/operations.md", () => {
  const root = new URL("../../", import.meta.url);
  const page = readFileSync(new URL("docs/operations.md", root), "utf8");
  const commands = [...page.matchAll(/^ +\$ (.+)$/gm)].map(([, command = ""]) => command);

  test("equals the output of npm run operations", () => {
    expect(page).toBe(renderOperations(deployment));
  });

  test("has only npm scripts that exist, with options that they read", () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(new URL("package.json", root), "utf8")));
    const calls = commands.flatMap((command) => [
      ...command.matchAll(/npm run (?<script>[\w-]+)(?: -- (?<options>.+))?/g),
    ]);
    expect(calls.length).toBeGreaterThan(3);
    for (const { groups = {} } of calls) {
      const [, file = ""] = /^node (\S+)$/.exec(scripts[groups.script ?? ""] ?? "") ?? [];
      const source = readFileSync(new URL(file, root), "utf8");
      for (const option of groups.options?.match(/--[\w-]+/g) ?? []) {
        expect(source, `${groups.script} ${option}`).toContain(option);
      }
    }
  });

  test("has only log groups of the templates", () => {
    const groups = stacks
      .resources("AWS::Logs::LogGroup")
      .map(({ Properties }) => Properties.LogGroupName);
    const named = commands.flatMap((command) => /aws logs tail (\S+)/.exec(command)?.[1] ?? []);
    const own = named.filter((name) => name !== "Wharf-AREA");
    expect(new Set(own).size).toBeGreaterThan(1);
    expect(groups).toEqual(expect.arrayContaining(own));
    for (const { group } of product.http) expect(groups).toContain(`Wharf-${deriveArea(group)}`);
  });
});

test("every function logs JSON from the setting's level, and Lambda its system events only from WARN", {
  tags: "nightly",
}, () => {
  for (const { name } of functions) {
    expect(findLambda(stacks, name).logging).toMatchObject({
      LogFormat: "JSON",
      ApplicationLogLevel: "INFO",
      SystemLogLevel: "WARN",
    });
  }
});

test("the functions of a stack share one log group, and every log group has a retention", {
  tags: "nightly",
}, () => {
  const groups = stacks.resources("AWS::Logs::LogGroup");
  const groupsIn = (stack: string) =>
    (stacks.templates.find(({ name }) => name === stack)?.resources ?? []).filter(
      ({ Type }) => Type === "AWS::Logs::LogGroup",
    );
  for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(30);
  const grouped = Map.groupBy(
    [...product.workers, ...product.schedules, ...product.http],
    ({ group }) => (group === "workers" ? "Workers" : deriveArea(group)),
  );
  for (const [area, records] of grouped) {
    const used = records.map(({ name }) => findLambda(stacks, name).logging.LogGroup.Ref);
    const own = groupsIn(area).map(({ id }) => id);
    expect([...new Set(used)], area).toEqual(own);
  }
  expect(groupsIn("Api").map(({ id }) => id)).toEqual([expect.stringContaining("AccessLog")]);
  expect(groups).toHaveLength(grouped.size + 1);
});
