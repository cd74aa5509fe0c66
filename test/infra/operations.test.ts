import { beforeAll, expect, test } from "vitest";
import { everyFunction, product } from "../../infra/product.ts";
import { lambdaOf, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
}, 60_000);

const functions = everyFunction(product);

test("each stack stays well below CloudFormation's 500 resources", () => {
  console.log("resources", stacks.counts);
  for (const count of Object.values(stacks.counts)) expect(count).toBeLessThan(450);
});

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

test("every function has a log group of its own; every log group forgets in time", () => {
  const groups = stacks.resources("AWS::Logs::LogGroup");
  for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(30);
  const used = functions.map(({ name }) => lambdaOf(stacks, name).logGroup);
  expect(new Set(used).size).toBe(functions.length);
  expect(groups.map(({ id }) => id)).toEqual(expect.arrayContaining(used));
});
