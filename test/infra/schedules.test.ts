import { beforeAll, expect, test } from "vitest";
import { product } from "../../infra/functions/product.ts";
import { type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

test("every job has one rule, which starts it at the row's rate without retries", () => {
  const rules = stacks.resources("AWS::Events::Rule");
  expect(rules).toHaveLength(product.schedules.length);
  for (const { name, everyMinutes } of product.schedules) {
    const rule = rules.find(({ Properties }) => Properties.Name === `Wharf-${name}`);
    expect(rule?.Properties).toMatchObject({
      ScheduleExpression: everyMinutes === 1 ? "rate(1 minute)" : expect.stringMatching(/^rate\(/),
      State: "ENABLED",
      Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0 } }],
    });
  }
  const settings = stacks.resources("AWS::Lambda::EventInvokeConfig");
  expect(settings).toHaveLength(product.schedules.length);
  for (const { Properties } of settings) {
    expect(Properties).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
  }
});

test("no job runs longer than until its next start", () => {
  for (const { timeoutSeconds, everyMinutes } of product.schedules) {
    expect(timeoutSeconds).toBeLessThan(everyMinutes * 60);
  }
});
