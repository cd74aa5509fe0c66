import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge as purgeDeleted } from "../../../functions/workers/purge-deleted.ts";
import { type Respond, testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { leaseMs, renewalMs } from "../../executions/lease/execution-lease.ts";
import { RunExecutionMessage } from "../../executions/messages.ts";
import { toSessionPlace } from "../../executions/session/keys.ts";
import { getSession } from "../../executions/session/session-store.ts";
import { startScheduled } from "../../executions/start/start-triggered.ts";
import { transact } from "../../platform/db/transact.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { putBudget } from "../../spending/budget/put-budget.ts";
import { settleSpend } from "../../spending/budget/spend-store.ts";
import { deleteAgent } from "../agent/delete-agent.ts";
import { getAgent } from "../agent/store.ts";
import { RunScheduleMessage } from "../messages.ts";
import { RevisionContent } from "../revision/content.ts";
import { createRevision } from "../revision/create-revision.ts";
import { deployRevision } from "../revision/deploy-revision.ts";
import { getRevisionItem, putDeployment } from "../revision/store.ts";
import { scheduleName } from "./plan-schedules.ts";
import { type Schedule, type Schedules, scheduledTimePlaceholder } from "./schedules.ts";
import { syncSchedules } from "./sync-schedules.ts";

const flow = { steps: [{ id: "out", type: "Output", value: "{% input.prompt %}" }], edges: [] };
const parametersMetadata = [{ name: "prompt", type: "String" }];
const revisionWith = (...jobPolicyConfigs: object[]) => ({
  flow,
  parametersMetadata,
  jobPolicyConfigs,
});
const daily = (id: string, hour: string, more: object = {}) => ({
  id,
  scheduleFrequency: "daily",
  scheduleHour: hour,
  scheduleMinute: "30",
  timezone: "Europe/Berlin",
  prompt: "Good morning",
  ...more,
});

/** Schedules that a test inspects; `before` runs at each call, as a concurrent change would. */
const memorySchedules = () => {
  const kept = new Map<string, Schedule>();
  const hooks: { before?: ((name: string) => Promise<void> | void) | undefined } = {};
  const schedules: Schedules = {
    put: async (schedule) => {
      await hooks.before?.(schedule.name);
      kept.set(schedule.name, schedule);
    },
    remove: async (name) => {
      await hooks.before?.(name);
      kept.delete(name);
    },
  };
  return { kept, hooks, schedules };
};

describe("the schedules of an agent", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  const start = (respond?: Respond) => {
    const world = testExecutions(db, respond);
    const { kept, hooks, schedules } = memorySchedules();
    const deps = { ...world.deps, schedules };
    const { tenantId } = world;
    const place = { tenantId, agentId: "a" };
    return {
      ...world,
      kept,
      hooks,
      deps,
      sent: world.tenant.sent,
      sync: () => syncSchedules(deps, place),
      redeploy: (revision: number) =>
        deployRevision(world.tenant.deps, { ctx: world.tenant.ctx, agentId: "a", revision }),
      remove: () => deleteAgent(world.tenant.deps, { tenantId, agentId: "a" }),
      nameFor: (policyId: string) => scheduleName({ ...place, policyId }),
      expressions: () => [...kept.values()].map(({ expression }) => expression).sort(),
      /** The message of a firing at this time. */
      firing: (policyId: string, scheduledTime: string) => {
        const schedule = kept.get(scheduleName({ ...place, policyId }));
        const text = schedule?.message.replace(scheduledTimePlaceholder, scheduledTime) ?? "";
        return RunScheduleMessage.parse(JSON.parse(text));
      },
      left: async () =>
        (await db.scan()).filter(
          (item) => item.pk === `TENANT#${tenantId}` && String(item.sk).startsWith("SCHEDULES#"),
        ),
    };
  };
  let world: ReturnType<typeof start>;
  /** Deploys what `deployRevision` refuses. */
  const deployUnchecked = async (content: unknown) => {
    const { tenantId, tenant } = world;
    const { ctx, deps } = tenant;
    const input = { agentId: "a", content: RevisionContent.parse(content) };
    const { agentRevision } = await createRevision(deps, { ctx, ...input });
    const [agent, revision] = await Promise.all([
      getAgent(db, tenantId, "a"),
      getRevisionItem(db, tenantId, "a", agentRevision),
    ]);
    if (!agent || !revision) throw new Error("there is no such revision");
    await putDeployment(db, tenantId, agent, { revision, deployedAt: 1, deployedBy: "test" });
  };
  const [first, second] = [randomUUID(), randomUUID()];
  beforeEach(() => {
    world = start();
  });

  test("are synchronized before the deployment returns, and match its policies", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", revisionWith(daily(first, "9")));
    const sync = { type: "sync-schedules", tenantId: world.tenantId, agentId: "a" };
    expect(world.sent).toEqual([sync, sync]);
    await world.sync();
    expect([...world.kept.values()]).toEqual([
      {
        name: world.nameFor(first),
        description: expect.stringContaining(first),
        expression: "cron(30 9 * * ? *)",
        timeZone: "Europe/Berlin",
        message: JSON.stringify({
          type: "run-schedule",
          tenantId: world.tenantId,
          agentId: "a",
          policyId: first,
          expression: "cron(30 9 * * ? *)",
          timeZone: "Europe/Berlin",
          scheduledTime: "<aws.scheduler.scheduled-time>",
        }),
      },
    ]);
    expect(world.nameFor(first)).toMatch(/^[0-9a-zA-Z-_.]{1,64}$/);
  });

  test("are not synchronized for agents that never had any", async () => {
    await world.deploy("a", revisionWith());
    await world.remove();
    expect(world.sent).toEqual([expect.objectContaining({ type: "purge-agent" })]);
  });

  test("follow the next revision, a rollback, a revision without policies, and the deletion of the agent", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", revisionWith(daily(first, "9"), daily(second, "12")));
    await world.sync();
    await world.deploy("a", revisionWith(daily(first, "10")));
    await world.sync();
    expect(world.expressions()).toEqual(["cron(30 10 * * ? *)"]);
    await world.redeploy(1);
    await world.sync();
    expect(world.expressions()).toEqual(["cron(30 12 * * ? *)", "cron(30 9 * * ? *)"]);
    await world.deploy("a", revisionWith());
    await world.sync();
    expect(world.expressions()).toEqual([]);
    expect(await world.left()).toEqual([]);
    await world.redeploy(2);
    await world.sync();
    world.sent.length = 0;
    await world.remove();
    expect(world.sent).toEqual([
      expect.objectContaining({ type: "sync-schedules" }),
      expect.objectContaining({ type: "purge-agent" }),
    ]);
    const until = Number.MAX_SAFE_INTEGER;
    const purge = { ...world.tenant.deps, clock: world.tenant.ctx.clock, until };
    await purgeDeleted({ type: "purge-agent", tenantId: world.tenantId, agentId: "a" }, purge);
    await world.sync();
    expect(world.kept.size).toBe(0);
    expect(await world.left()).toEqual([]);
  });

  test("are queued before the deployment is written, for a time after its call", async () => {
    await world.deploy("a", revisionWith(daily(first, "9")));
    const asked: unknown[] = [];
    const send: Send = async (...message) => {
      asked.push(message);
      const agent = await getAgent(db, world.tenantId, "a");
      if (agent?.deployedRevision === 2) throw new Error("died");
    };
    await world.deploy("a", revisionWith(daily(first, "10")));
    await world.redeploy(1);
    const input = { agentId: "a", revision: 2 };
    const deps = { ...world.tenant.deps, send };
    await expect(deployRevision(deps, { ctx: world.tenant.ctx, ...input })).rejects.toThrow("died");
    const sync = { type: "sync-schedules", tenantId: world.tenantId, agentId: "a" };
    expect(asked[0]).toEqual(["schedules", world.tenantId, sync, 60]);
    await world.sync();
    expect(world.expressions()).toEqual(["cron(30 10 * * ? *)"]);
  });

  test("are synchronized when a deployment or deletion that failed half-way is repeated", async () => {
    await world.deploy("a", revisionWith(daily(first, "9")));
    await world.deploy("a", revisionWith());
    const dead = { ...world.tenant.deps, send: () => Promise.reject(new Error("died")) };
    const input = { agentId: "a", revision: 2 };
    await expect(deployRevision(dead, { ctx: world.tenant.ctx, ...input })).rejects.toThrow("died");
    world.sent.length = 0;
    await world.redeploy(2);
    expect(world.sent).toHaveLength(2);
    await expect(deleteAgent(dead, { tenantId: world.tenantId, agentId: "a" })).rejects.toThrow(
      "died",
    );
    world.sent.length = 0;
    await expect(world.remove()).rejects.toMatchObject({ slug: "not-found" });
    expect(world.sent).toEqual([
      expect.objectContaining({ type: "sync-schedules" }),
      expect.objectContaining({ type: "purge-agent" }),
    ]);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    "are correct after the worker crashed at its call %i and its message was delivered again",
    async (survived) => {
      await world.deploy("a", revisionWith(daily(first, "9"), daily(second, "12")));
      await world.sync();
      await world.deploy("a", revisionWith(daily(second, "13"), daily(randomUUID(), "14")));
      let calls = 0;
      world.hooks.before = () => {
        if (calls === survived) throw new Error("died");
        calls += 1;
      };
      await world.sync().catch(() => undefined);
      world.hooks.before = undefined;
      await world.sync();
      expect(world.expressions()).toEqual(["cron(30 13 * * ? *)", "cron(30 14 * * ? *)"]);
      await world.remove();
      await world.sync();
      expect(world.kept.size).toBe(0);
    },
  );

  test("are those of the later of two concurrent deployments, whichever is slower", async () => {
    await world.deploy("a", revisionWith(daily(first, "9"), daily(second, "12")));
    let isOvertaken = false;
    world.hooks.before = async () => {
      if (isOvertaken) return;
      isOvertaken = true;
      await world.deploy("a", revisionWith(daily(first, "10")));
      await world.sync();
    };
    await world.sync();
    expect(world.expressions()).toEqual(["cron(30 10 * * ? *)"]);
    expect(await world.left()).toMatchObject([{ names: [world.nameFor(first)] }]);
  });

  test("start one execution per time, with trigger type 1, the prompt and the due time", async () => {
    await world.deploy("a", revisionWith(daily(first, "9")));
    await world.sync();
    world.sent.length = 0;
    const message = world.firing(first, "2026-11-21T08:30:00Z");
    await Promise.all([startScheduled(world.deps, message), startScheduled(world.deps, message)]);
    await startScheduled(world.deps, message);
    expect(world.sent).toHaveLength(1);
    const [run] = RunExecutionMessage.parse(world.sent[0]).runs;
    const executionId = run?.executionId ?? "";
    const { item, input } = await world.read("a", executionId);
    expect(item).toMatchObject({
      trigger: { type: 1, id: first, provider: null },
      startTime: Date.parse("2026-11-21T08:30:00Z"),
      status: "Queued",
    });
    expect(JSON.stringify(input)).toContain("Good morning");
    await startScheduled(world.deps, world.firing(first, "2026-11-22T08:30:00Z"));
    expect(world.sent).toHaveLength(2);
  });

  test("continue the session of their policy, one firing after another", {
    tags: "nightly",
  }, async () => {
    const policy = daily(first, "9", { session: { id: "news", endUserId: "ada" } });
    await world.deploy("a", { ...revisionWith(policy), useSession: true });
    await world.sync();
    world.sent.length = 0;
    for (const day of ["21", "22"]) {
      await startScheduled(world.deps, world.firing(first, `2026-11-${day}T08:30:00Z`));
    }
    expect(world.sent).toHaveLength(1);
    await world.work();
    const records = await world.list("a");
    expect(records).toMatchObject(Array(2).fill({ status: "Succeeded", session: { id: "news" } }));
    const session = await getSession(db, toSessionPlace(world.tenantId, "a", "news"));
    expect(session).toMatchObject({ turnCount: 2, endUserId: "ada" });
  });

  test("record an execution as failed that the session of their policy refuses", async () => {
    const policies = [first, second].map((id, at) =>
      daily(id, "9", { session: { id: "news", endUserId: ["ada", "bob"][at] } }),
    );
    await world.deploy("a", { ...revisionWith(...policies), useSession: true });
    await world.sync();
    for (const id of [first, second]) {
      await startScheduled(world.deps, world.firing(id, "2026-11-21T08:30:00Z"));
    }
    const records = await world.list("a");
    const refused = records.filter(({ trigger }) => trigger.id === second);
    expect(refused).toMatchObject([{ status: "Failed", errorType: "execution-failed" }]);
    const { output } = await world.read("a", refused[0]?.id ?? "");
    expect(output?.error?.detail).toBe('The session "news" belongs to another end user.');
  });

  test("send the prompt only to an agent that declares it", async () => {
    const policy = daily(first, "9");
    await world.deploy("a", {
      ...revisionWith(policy),
      parametersMetadata: [],
      flow: { steps: [{ id: "out", type: "Output", value: "done" }], edges: [] },
    });
    await world.sync();
    world.sent.length = 0;
    await startScheduled(world.deps, world.firing(first, "2026-11-21T08:30:00Z"));
    expect(world.sent).toHaveLength(1);
  });

  test.each([
    [
      "its input is not valid",
      {
        parametersMetadata: ["city", "prompt"].map((name) => ({
          name,
          type: "String",
          required: name === "city",
        })),
      },
      "execution-failed",
      "/input/city",
    ],
    ["its budget is spent", {}, "budget-exceeded", "budget"],
  ])(
    "that an agent does not allow, as %s, are recorded once, as failed",
    { tags: "nightly" },
    async (_, more, slug, words) => {
      await world.deploy("a", revisionWith(daily(first, "9")));
      await deployUnchecked({ ...revisionWith(daily(first, "9")), ...more });
      await world.sync();
      if (slug === "budget-exceeded") {
        const { ctx, deps } = world.tenant;
        const body = { amount: 1, thresholdRules: [], enforceLimit: true, allowUnpriced: false };
        await putBudget({ ...deps, getAgent }, { ctx, agentId: "a", body });
        const spent = { id: newUuid(ctx), agentId: "a", startTime: ctx.clock() };
        const cost = { amount: 1, cost: 1, reserved: 0 };
        await transact(db, settleSpend(world.tenantId, spent, cost));
      }
      world.sent.length = 0;
      const message = world.firing(first, "2026-11-20T12:00:00Z");
      await Promise.all([startScheduled(world.deps, message), startScheduled(world.deps, message)]);
      const records = await world.list("a");
      expect(records).toMatchObject([
        { status: "Failed", trigger: { type: 1, id: first }, hasResult: false },
      ]);
      const { output } = await world.read("a", records[0]?.id ?? "");
      expect(output?.error).toMatchObject({
        type: `/problems/${slug}`,
        detail: expect.stringContaining(words),
      });
      await world.recover();
      expect(world.sent).toEqual([]);
    },
  );

  test("that an agent refuses are recorded once, and decided again if the refusal could not be recorded", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", revisionWith(daily(first, "9")));
    await world.sync();
    const { ctx, deps } = world.tenant;
    const body = { amount: 1, thresholdRules: [], enforceLimit: true, allowUnpriced: false };
    await putBudget({ ...deps, getAgent }, { ctx, agentId: "a", body });
    const spent = { id: newUuid(ctx), agentId: "a", startTime: ctx.clock() };
    const cost = { amount: 1, cost: 1, reserved: 0 };
    await transact(db, settleSpend(world.tenantId, spent, cost));
    const message = world.firing(first, "2026-11-20T12:00:00Z");
    db.failNext("TransactWriteItems");
    await expect(startScheduled(world.deps, message)).rejects.toThrow("planned");
    expect(await world.list("a")).toEqual([]);
    await startScheduled(world.deps, message);
    await putBudget({ ...deps, getAgent }, { ctx, agentId: "a", body: { ...body, amount: 9 } });
    await startScheduled(world.deps, message);
    world.sent.length = 0;
    world.tenant.advance(120_000);
    await world.recover();
    await world.work();
    expect(await world.list("a")).toMatchObject([{ status: "Failed", hasResult: false }]);
  });

  test("run executions with the policy's timeout", async () => {
    const reached = gate();
    world = start(async (_, { signal }) => {
      reached.resolve();
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      return "too late";
    });
    await world.deploy("a", {
      flow: { steps: [{ id: "slow", type: "Prompt", prompt: "x" }], edges: [] },
      llmConfigs: [{ providerId: "test", parameters: {} }],
      jobPolicyConfigs: [daily(first, "9", { timeout: 30 })],
    });
    await world.sync();
    world.sent.length = 0;
    await startScheduled(world.deps, world.firing(first, "2026-11-20T12:00:00Z"));
    const working = world.workOnce();
    await reached.promise;
    world.timers.pass(29_000);
    expect((await world.list("a"))[0]?.status).toBe("Running");
    world.timers.pass(2_000);
    await working;
    expect((await world.list("a"))[0]?.status).toBe("TimedOut");
  });

  test.each([
    [30, { status: "TimedOut", hasResult: false }],
    [120, { status: "Succeeded", hasResult: true }],
  ])(
    "with a timeout of %i s end once after their worker crashed: the time until they continue counts",
    async (timeout, end) => {
      const reached = gate();
      const held = gate();
      world = start(async () => {
        reached.resolve();
        await held.promise;
        return "too late";
      });
      await world.deploy("a", {
        flow: { steps: [{ id: "ask", type: "Prompt", prompt: "x" }], edges: [] },
        llmConfigs: [{ providerId: "test", parameters: {} }],
        jobPolicyConfigs: [daily(first, "9", { timeout })],
      });
      await world.sync();
      world.sent.length = 0;
      await startScheduled(world.deps, world.firing(first, "2026-11-20T12:00:00Z"));
      const dead = world.workOnce();
      await reached.promise;
      // Time passes for everybody but the first worker.
      world.tenant.advance(leaseMs + renewalMs);
      expect(await world.recover()).toBe(1);
      await world.work({ ...world.deps, modelsFor: testExecutions(db).deps.modelsFor });
      expect(await world.list("a")).toMatchObject([end]);
      held.resolve();
      await dead;
      expect(await world.list("a")).toMatchObject([end]);
      expect((await world.counted("a")).executions).toBe(1);
      expect((await world.open()).filter(({ tenantId }) => tenantId === world.tenantId)).toEqual(
        [],
      );
    },
  );

  test.each([
    [
      "a revision is deployed that has it at another time",
      async () => world.deploy("a", revisionWith(daily(first, "11"))),
    ],
    ["the policy is gone", async () => world.deploy("a", revisionWith())],
    ["the agent is gone", async () => world.remove()],
  ])("that fire when %s run nothing, and are put right", async (_, change) => {
    await world.deploy("a", revisionWith(daily(first, "9")));
    await world.sync();
    const message = world.firing(first, "2026-11-21T08:30:00Z");
    await change();
    world.sent.length = 0;
    await startScheduled(world.deps, message);
    expect(world.sent).toEqual([]);
    expect(world.expressions()).not.toContain("cron(30 9 * * ? *)");
  });

  test("run the revision deployed just before they fired, if it has them too", async () => {
    await world.deploy("a", revisionWith(daily(first, "9")));
    await world.sync();
    const message = world.firing(first, "2026-11-21T08:30:00Z");
    await world.deploy("a", revisionWith(daily(first, "9", { prompt: "Good evening" })));
    world.sent.length = 0;
    await startScheduled(world.deps, message);
    const [run] = RunExecutionMessage.parse(world.sent[0]).runs;
    const executionId = run?.executionId ?? "";
    const { item, input } = await world.read("a", executionId);
    expect(item.agentRevision).toBe(2);
    expect(JSON.stringify(input)).toContain("Good evening");
  });

  test("that cannot be created do not delay others", async () => {
    await world.deploy("a", revisionWith(daily(first, "9")));
    await world.sync();
    await world.deploy("a", revisionWith(daily(second, "13"), daily(randomUUID(), "14")));
    world.hooks.before = (name) => {
      if (name === world.nameFor(second)) throw new Error("refused");
    };
    await expect(world.sync()).rejects.toThrow("refused");
    expect(world.expressions()).toEqual(["cron(30 14 * * ? *)"]);
  });

  test("that are not recorded are deleted when they fire", async () => {
    await world.deploy("a", revisionWith(daily(first, "9")));
    await world.sync();
    const message = world.firing(first, "2026-11-21T08:30:00Z");
    const stray = world.nameFor(second);
    world.kept.set(stray, {
      name: stray,
      description: "",
      expression: "",
      timeZone: "",
      message: "",
    });
    await startScheduled(world.deps, { ...message, policyId: second });
    expect([...world.kept.keys()]).toEqual([world.nameFor(first)]);
  });
});
