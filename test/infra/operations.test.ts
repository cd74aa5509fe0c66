import { beforeAll, expect, test } from "vitest";
import type { FunctionRecord } from "../../infra/functions/function-records.ts";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { findLambda, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
}, 60_000);

const functions = everyFunction(product);

test("every alarm says what users suffer, goes somewhere, and watches at most ten metrics", () => {
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

test("every function logs JSON from the setting's level, and Lambda its own events only from WARN", () => {
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
  for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(30);
  const listLogGroups = (records: readonly FunctionRecord[]) => [
    ...new Set(records.map(({ name }) => findLambda(stacks, name).logging.LogGroup.Ref)),
  ];
  const api = listLogGroups(product.http);
  const workers = listLogGroups([...product.workers, ...product.schedules]);
  expect([api.length, workers.length]).toEqual([1, 1]);
  const accessLog = groups.map(({ id }) => id).filter((id) => id.includes("AccessLog"));
  expect(groups.map(({ id }) => id).sort()).toEqual([...accessLog, ...api, ...workers].sort());
});
