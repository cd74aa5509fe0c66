import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { readModel } from "../../infra/local/template/model.ts";
import { removeFolders, startFixture, temporaryFolder, writeFixture } from "./fixture-stack.ts";
import { fixtureTemplates } from "./fixture-template.ts";

afterAll(removeFolders);

const State = z.object({
  runs: z.int(),
  running: z.int(),
  most: z.int(),
  event: z.unknown().optional(),
});

describe("a scheduled function", () => {
  test("runs repeatedly from the start, after a failure too, and never concurrently with itself", {
    tags: "nightly",
  }, async () => {
    const { stack, post, printed } = await startFixture(undefined, {
      clock: { first: 1, every: 10 },
    });
    const state = async () => State.parse(await (await post("/job", {})).json());
    await expect.poll(async () => (await state()).runs, { timeout: 20_000 }).toBeGreaterThan(3);
    expect(await state()).toMatchObject({
      most: 1,
      event: {
        version: "0",
        "detail-type": "Scheduled Event",
        source: "aws.events",
        account: "000000000000",
        region: "us-east-1",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        resources: ["arn:aws:events:us-east-1:000000000000:rule/job-clock"],
        detail: {},
      },
    });
    expect(printed.join("\n")).toContain("the second run fails");
    await stack.close();
  });

  test("has no thread between its runs once memory is spared", { tags: "nightly" }, async () => {
    const spared = Promise.withResolvers<void>();
    const ran = Promise.withResolvers<void>();
    const { stack } = await startFixture(undefined, {
      clock: { first: 1 },
      observe:
        (invoke) =>
        async (...call) => {
          await spared.promise;
          const outcome = await invoke(...call);
          ran.resolve();
          return outcome;
        },
    });
    stack.keepWarm([]);
    spared.resolve();
    await ran.promise;
    await expect.poll(stack.startedFunctions, { timeout: 20_000 }).toEqual([]);
    await stack.close();
  });

  test("does not run while the clock is stopped", { tags: "nightly" }, async () => {
    const { stack, post } = await startFixture();
    expect(State.parse(await (await post("/job", {})).json()).runs).toBe(0);
    await stack.close();
  });
});

describe("a rule of the template", () => {
  const listSchedules = async (rule: object) => {
    const directory = temporaryFolder();
    const templates = fixtureTemplates(join(directory, "functions"));
    const { Clock, ...others } = templates.Api.Resources;
    const changed = { ...Clock, Properties: { ...Clock.Properties, ...rule } };
    await writeFixture(directory, {
      ...templates,
      Api: { Resources: { ...others, Clock: changed } },
    });
    return readModel(readAssembly(join(directory, "assembly")), "http://127.0.0.1").schedules;
  };

  test.each([
    ["rate(1 minute)", 60_000],
    ["rate(5 minutes)", 300_000],
    ["rate(1 hour)", 3_600_000],
    ["rate(2 days)", 172_800_000],
  ])("%s is read", async (ScheduleExpression, everyMilliseconds) => {
    expect(await listSchedules({ ScheduleExpression })).toEqual([
      {
        ruleArn: "arn:aws:events:us-east-1:000000000000:rule/job-clock",
        functionName: "job",
        everyMilliseconds,
      },
    ]);
  });

  test("that is disabled is ignored", async () => {
    expect(await listSchedules({ State: "DISABLED" })).toEqual([]);
  });

  test.each([
    [
      "an unsupported expression",
      { ScheduleExpression: "cron(0 12 * * ? *)" },
      "ScheduleExpression",
    ],
    ["a rate of zero", { ScheduleExpression: "rate(0 minutes)" }, "ScheduleExpression"],
    [
      "an unsupported target",
      { Targets: [{ Arn: "arn:aws:sqs:us-east-1:1:q", Id: "a" }] },
      "Targets",
    ],
  ])("with %s is an error that names the property", async (_, rule, place) => {
    await expect(listSchedules(rule)).rejects.toThrow(`template Api, Clock.Properties.${place}`);
  });
});
