import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from "@aws-sdk/client-scheduler";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createCallCounts } from "../../infra/local/access/call-counts.ts";
import { readAccessKeyId, signedFor } from "../../infra/local/access/caller.ts";
import { createGuard } from "../../infra/local/access/guard.ts";
import { createSchedulerEndpoint } from "../../infra/local/schedules/endpoint.ts";
import type { SendAs } from "../../infra/local/schedules/fire.ts";
import { startScheduler } from "../../infra/local/schedules/scheduler.ts";
import { openScheduleStore } from "../../infra/local/schedules/store.ts";
import { createAuthorizer } from "../../infra/local/template/authorizer.ts";
import type { PolicyStatement } from "../../infra/local/template/policies.ts";
import { isNightly } from "../harness/runs.ts";
import { removeFolders, temporaryFolder } from "./fixture-stack.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(removeFolders);

const role = "arn:aws:iam::000000000000:role/fires";
const queue = "arn:aws:sqs:us-east-1:000000000000:schedules";
const schedules = "arn:aws:scheduler:us-east-1:000000000000:schedule/Group/*";
const writes = ["scheduler:CreateSchedule", "scheduler:UpdateSchedule", "scheduler:DeleteSchedule"];
const allow = (
  actions: string[],
  resource: string,
  conditions: PolicyStatement["conditions"] = [],
): PolicyStatement => ({ allow: true, actions, resources: [resource], conditions });
const passedTo = (service: string) => [
  { operator: "StringEquals", key: "iam:PassedToService", values: [service] },
];

const Firing = z.object({ name: z.string(), at: z.string() });

/** Starts the service on a file with the test's clock; a second one on the same file is a restart. */
const startService = async (file: string, startTime = "2026-11-21T08:10:00Z") => {
  const world = { now: Date.parse(startTime), fired: [] as z.output<typeof Firing>[], printed: "" };
  const hooks: { sent?: (() => void) | undefined; refuses?: boolean } = {};
  const store = openScheduleStore(file);
  const sendAs: SendAs = async (_, messages) => {
    if (hooks.refuses) return messages.map(() => false);
    world.fired.push(...messages.map((message) => Firing.parse(JSON.parse(message))));
    hooks.sent?.();
    return messages.map(() => true);
  };
  const now = () => world.now;
  const print = (line: string) => {
    world.printed += line;
  };
  const clock = startScheduler({ store, sendAs, now, runs: false, print });
  const statements = new Map([
    [
      "able",
      [
        allow([...writes, "scheduler:GetSchedule"], schedules),
        allow(["iam:PassRole"], role, passedTo("scheduler.amazonaws.com")),
      ],
    ],
    ["no-role", [allow(writes, schedules)]],
    [
      "other-service",
      [allow(writes, schedules), allow(["iam:PassRole"], role, passedTo("lambda.amazonaws.com"))],
    ],
    ["nobody", []],
  ]);
  const respond = createSchedulerEndpoint({
    store,
    groups: ["Group"],
    roles: [{ name: "fires", arn: role, statements: [] }],
    queues: new Set([queue]),
    guard: createGuard(createAuthorizer(statements), createCallCounts(), print),
    now,
    changed: clock.wake,
  });
  const server = createServer(async (request, response) => {
    expect(signedFor(request.headers.authorization)).toBe("scheduler");
    const caller = readAccessKeyId(request.headers.authorization);
    const { method = "", url = "" } = request;
    respond({ caller, method, url, body: await buffer(request) }, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await clock.close();
    store.close();
  };
  closers.push(close);
  const clientFor = (caller: string) =>
    new SchedulerClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      credentials: { accessKeyId: caller, secretAccessKey: "local" },
      maxAttempts: 1,
    });
  return {
    world,
    hooks,
    store,
    clientFor,
    able: clientFor("able"),
    /** Sets the clock and fires due schedules. */
    passUntil: async (time: string) => {
      world.now = Date.parse(time);
      return clock.fireUntil(world.now);
    },
    fireUntil: (time: string) => clock.fireUntil(Date.parse(time)),
    crash: async () => {
      closers.splice(closers.indexOf(close), 1);
      await close();
    },
  };
};

const schedule = (name: string, ScheduleExpression: string, more: object = {}) => ({
  GroupName: "Group",
  Name: name,
  ScheduleExpression,
  ScheduleExpressionTimezone: "Europe/Berlin",
  FlexibleTimeWindow: { Mode: "OFF" as const },
  Target: {
    Arn: queue,
    RoleArn: role,
    Input: JSON.stringify({ name, at: "<aws.scheduler.scheduled-time>" }),
  },
  ...more,
});
const create = (name: string, expression: string, more?: object) =>
  new CreateScheduleCommand(schedule(name, expression, more));
const update = (name: string, expression: string, more?: object) =>
  new UpdateScheduleCommand(schedule(name, expression, more));
const newFile = () => join(temporaryFolder(), "schedules.db");
const inTen = (name: string) => ({ name, at: "2026-11-21T08:20:00Z" });

describe("a schedule", () => {
  test("fires once at every time of its cron expression and time zone, with the scheduled time in the message", async () => {
    const { able, passUntil, world } = await startService(newFile());
    await able.send(create("a", "cron(20 9 * * ? *)"));
    expect(await passUntil("2026-11-21T08:19:59Z")).toEqual({ fired: 0, failed: 0, dropped: [] });
    await passUntil("2026-11-21T08:20:00Z");
    await passUntil("2026-11-21T08:20:00Z");
    await passUntil("2026-11-22T08:20:30Z");
    expect(world.fired).toEqual([inTen("a"), { name: "a", at: "2026-11-22T08:20:00Z" }]);
  });

  test("of a single time fires once, however late, and is then removed if it says so", async () => {
    const { able, passUntil, world, store } = await startService(newFile());
    const utc = { ScheduleExpressionTimezone: "UTC" };
    const removed = { ...utc, ActionAfterCompletion: "DELETE" as const };
    await able.send(create("kept", "at(2026-11-21T08:20:00)", utc));
    await able.send(create("removed", "at(2026-11-21T08:20:00)", removed));
    expect(await passUntil("2026-11-21T08:19:59Z")).toMatchObject({ fired: 0 });
    expect(await passUntil("2026-12-24T08:20:00Z")).toEqual({ fired: 2, failed: 0, dropped: [] });
    await passUntil("2026-12-25T08:20:00Z");
    expect(world.fired).toEqual([inTen("kept"), inTen("removed")]);
    expect(store.list().map(({ name }) => name)).toEqual(["kept"]);
  });

  test("is updated, returned and deleted", async () => {
    const { able, passUntil, world } = await startService(newFile());
    await able.send(create("a", "cron(20 9 * * ? *)"));
    await able.send(update("a", "cron(25 9 * * ? *)"));
    expect(
      await able.send(new GetScheduleCommand({ GroupName: "Group", Name: "a" })),
    ).toMatchObject({
      Arn: "arn:aws:scheduler:us-east-1:000000000000:schedule/Group/a",
      ScheduleExpression: "cron(25 9 * * ? *)",
      Target: { Arn: queue, RoleArn: role },
    });
    await passUntil("2026-11-21T08:24:00Z");
    expect(world.fired).toEqual([]);
    await able.send(new DeleteScheduleCommand({ GroupName: "Group", Name: "a" }));
    await passUntil("2026-11-21T08:30:00Z");
    expect(world.fired).toEqual([]);
  });

  test("keeps a due firing when only its message changes", async () => {
    const { able, passUntil, world } = await startService(newFile());
    await able.send(create("a", "cron(20 9 * * ? *)"));
    world.now = Date.parse("2026-11-21T08:20:10Z");
    const Input = JSON.stringify({ name: "new", at: "<aws.scheduler.scheduled-time>" });
    await able.send(
      update("a", "cron(20 9 * * ? *)", { Target: { Arn: queue, RoleArn: role, Input } }),
    );
    await passUntil("2026-11-21T08:20:11Z");
    expect(world.fired).toEqual([inTen("new")]);
  });

  test("fires at all times between now and a time in the future, and drops none", async () => {
    const { able, fireUntil, world } = await startService(newFile());
    await able.send(create("daily", "cron(20 9 * * ? *)"));
    await able.send(create("weekly", "cron(0 10 ? * MON *)"));
    expect(await fireUntil("2026-11-28T08:10:00Z")).toEqual({ fired: 8, failed: 0, dropped: [] });
    const daily = Array.from({ length: 7 }, (_, day) => ({
      name: "daily",
      at: `2026-11-${21 + day}T08:20:00Z`,
    }));
    expect(world.fired.filter(({ name }) => name === "daily")).toEqual(daily);
    expect(world.fired).toContainEqual({ name: "weekly", at: "2026-11-23T09:00:00Z" });
  });

  test("does not fire while disabled", async () => {
    const { able, passUntil } = await startService(newFile());
    await able.send(create("a", "cron(20 9 * * ? *)", { State: "DISABLED" }));
    expect((await passUntil("2026-11-25T00:00:00Z")).fired).toBe(0);
  });

  test.each([
    ["that exists, on create,", "ConflictException", create("there", "cron(0 9 * * ? *)")],
    [
      "that does not exist, on update,",
      "ResourceNotFoundException",
      update("b", "cron(0 9 * * ? *)"),
    ],
    [
      "of another group",
      "AccessDeniedException",
      create("b", "cron(0 9 * * ? *)", { GroupName: "Other" }),
    ],
    ["with a rate expression", "ValidationException", create("b", "rate(1 hour)")],
    [
      "with an unknown time zone",
      "ValidationException",
      create("b", "cron(0 9 * * ? *)", { ScheduleExpressionTimezone: "Here" }),
    ],
    [
      "with an unsupported target",
      "ValidationException",
      create("b", "cron(0 9 * * ? *)", { Target: { Arn: "arn:aws:lambda:x", RoleArn: role } }),
    ],
  ])("%s is rejected with %s", async (_, name, command) => {
    const { able } = await startService(newFile());
    await able.send(create("there", "cron(0 9 * * ? *)"));
    await expect(
      command instanceof CreateScheduleCommand ? able.send(command) : able.send(command),
    ).rejects.toMatchObject({ name });
  });

  test("is created once when a request is repeated with its client token", async () => {
    const { able } = await startService(newFile());
    const token = { ClientToken: "one" };
    await able.send(create("a", "cron(0 9 * * ? *)", token));
    await able.send(create("a", "cron(0 9 * * ? *)", token));
  });

  test.each(["nobody", "no-role", "other-service"])(
    "is not created by %s, which lacks a permission",
    async (caller) => {
      const { clientFor, world, store } = await startService(newFile());
      await expect(clientFor(caller).send(create("a", "cron(0 9 * * ? *)"))).rejects.toMatchObject({
        name: "AccessDeniedException",
      });
      expect(world.printed).toContain("ACCESS DENIED");
      expect(store.list()).toEqual([]);
    },
  );
});

describe("a restart", () => {
  test("repeats firings that were not recorded, and loses none", async () => {
    const file = newFile();
    const before = await startService(file);
    for (const name of ["a", "b", "c"]) await before.able.send(create(name, "cron(20 * * * ? *)"));
    before.hooks.sent = () => {
      throw new Error("died");
    };
    await expect(before.passUntil("2026-11-21T08:20:00Z")).rejects.toThrow("died");
    await before.crash();
    const after = await startService(file, "2026-11-21T08:20:05Z");
    await after.passUntil("2026-11-21T08:20:05Z");
    await after.passUntil("2026-11-21T08:20:06Z");
    expect(after.world.fired).toEqual(["a", "b", "c"].map(inTen));
  });

  test("fires times that were missed within a day, and no older ones", {
    tags: "nightly",
  }, async () => {
    const file = newFile();
    const before = await startService(file);
    await before.able.send(create("hourly", "cron(20 * * * ? *)"));
    await before.able.send(create("weekly", "cron(20 9 ? * SUN *)"));
    await before.crash();
    const after = await startService(file, "2026-11-24T10:00:00Z");
    const reason = "missed by more than 24 hours";
    expect(await after.passUntil("2026-11-24T10:00:00Z")).toEqual({
      fired: 24,
      failed: 0,
      dropped: [
        { name: "hourly", from: "2026-11-21T08:20:00Z", to: "2026-11-23T10:20:00Z", reason },
        { name: "weekly", from: "2026-11-22T08:20:00Z", to: "2026-11-29T08:20:00Z", reason },
      ],
    });
    const missed = Array.from({ length: 24 }, (_, hour) => ({
      name: "hourly",
      at: new Date(Date.UTC(2026, 10, 23, 10 + hour, 20)).toISOString().replace(".000", ""),
    }));
    expect(after.world.fired).toEqual(missed);
    await after.passUntil("2026-11-24T10:20:00Z");
    expect(after.world.fired.at(-1)).toEqual({ name: "hourly", at: "2026-11-24T10:20:00Z" });
    await after.passUntil("2026-11-29T08:20:00Z");
    expect(after.world.fired).toContainEqual({ name: "weekly", at: "2026-11-29T08:20:00Z" });
  });
});

test("a firing that the queue rejects is retried", async () => {
  const { able, passUntil, world, hooks } = await startService(newFile());
  await able.send(create("a", "cron(20 * * * ? *)"));
  hooks.refuses = true;
  expect(await passUntil("2026-11-21T08:20:00Z")).toEqual({ fired: 0, failed: 1, dropped: [] });
  hooks.refuses = false;
  await passUntil("2026-11-21T08:20:10Z");
  expect(world.fired).toEqual([inTen("a")]);
});

test("thousands of schedules due at the same minute all fire once", {
  tags: "nightly",
}, async () => {
  const { store, passUntil, world } = await startService(newFile());
  const due = Date.parse("2026-11-21T08:20:00Z");
  const count = isNightly ? 10_000 : 2_000;
  for (let at = 0; at < count; at += 1) {
    const { Name, GroupName, ...definition } = schedule(`s${at}`, "cron(20 * * * ? *)");
    store.put({
      groupName: GroupName,
      name: Name,
      expression: definition.ScheduleExpression,
      timeZone: definition.ScheduleExpressionTimezone,
      definition: JSON.stringify(definition),
      clientToken: null,
      due,
    });
  }
  expect(await passUntil("2026-11-21T08:20:00Z")).toEqual({
    fired: count,
    failed: 0,
    dropped: [],
  });
  expect(new Set(world.fired.map(({ name }) => name)).size).toBe(count);
  expect(store.nextDue()).toBe(due + 3_600_000);
});
