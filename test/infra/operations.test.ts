import { beforeAll, expect, test } from "vitest";
import { deriveArea } from "../../infra/functions/areas.ts";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { findLambda, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

const functions = everyFunction(product);

test("every alarm states its impact on users, has a target, and watches at most ten metrics", () => {
  const alarms = stacks.resources("AWS::CloudWatch::Alarm");
  expect(alarms.length).toBeGreaterThan(0);
  for (const { Properties } of alarms) {
    expect(Properties.AlarmDescription).toMatch(/^[A-Z].+ .+\.$/);
    expect(Properties.AlarmActions).toHaveLength(1);
    expect(JSON.stringify(Properties.Metrics ?? []).split('"MetricStat"').length).toBeLessThan(12);
  }
});

test("every function is in an alarm on errors and in one on throttles", () => {
  const alarms = stacks.resources("AWS::CloudWatch::Alarm").map((each) => JSON.stringify(each));
  for (const { name } of functions) {
    for (const metric of ["Errors", "Throttles"]) {
      const watching = alarms.filter(
        (alarm) =>
          alarm.includes(`"Value":"Wharf-${name}"`) && alarm.includes(`"MetricName":"${metric}"`),
      );
      expect(watching).toHaveLength(1);
    }
  }
});

test("every function logs JSON from the setting's level, and Lambda its system events only from WARN", () => {
  for (const { name } of functions) {
    expect(findLambda(stacks, name).logging).toMatchObject({
      LogFormat: "JSON",
      ApplicationLogLevel: "INFO",
      SystemLogLevel: "WARN",
    });
  }
});

test("the functions of a stack share one log group, and every log group has a retention", () => {
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
