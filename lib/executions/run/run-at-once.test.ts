import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { loadDeployed } from "../../agents/revision/load-deployed.ts";
import { newUuid, uuidAt } from "../../platform/runtime/runtime.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { readEnded } from "../read/read-execution.ts";
import { triggerTypes } from "../schemas.ts";
import { startExecution } from "../start/start-execution.ts";
import { planTriggered, recordRefusal } from "../start/start-triggered.ts";
import { executeAgent } from "./execute-agent.ts";
import { startRun } from "./run-execution.ts";
import { mayRunTogether } from "./run-together.ts";

const parametersMetadata = [
  { name: "name", type: "String", defaultValue: "world" },
  { name: "token", type: "String", secret: true },
];
const greeting = { id: "greet", type: "Transform", value: "Hello, {% input.name %}!" };
const computing = {
  parametersMetadata,
  flow: {
    steps: [
      greeting,
      {
        id: "each",
        type: "ForEach",
        items: "{% [1, 2] %}",
        step: { type: "Transform", value: "{% item & steps.greet.output %}" },
      },
      { id: "answer", type: "Output", value: "{% steps.each.output %}" },
    ],
    edges: [
      { source: "greet", target: "each" },
      { source: "each", target: "answer" },
    ],
  },
};
/** The same flow with a step that calls a model, in a branch that is not taken. */
const asking = {
  ...computing,
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps: [
      {
        id: "any",
        type: "Condition",
        cases: [{ when: "{% true %}", target: "greet" }],
        otherwise: "ask",
      },
      ...computing.flow.steps,
      { id: "ask", type: "Prompt", prompt: "Hi" },
    ],
    edges: [
      { source: "any", target: "greet" },
      { source: "any", target: "ask" },
      ...computing.flow.edges,
    ],
  },
};
const failing = {
  flow: { steps: [{ id: "bad", type: "Output", value: "{% $number('x') %}" }], edges: [] },
};
describe("an execution that only computes", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testExecutions>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    world = testExecutions(db);
    const { tenant, clock } = world.tenant.ctx;
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "Test", ...times });
    await world.tenant.createAgent("hello");
  });

  const calls = async (work: () => Promise<unknown>) => {
    db.calls.length = 0;
    await work().catch(() => undefined);
    return [...db.calls];
  };
  const findRecords = async () =>
    (await db.scan()).filter(
      ({ pk, sk }) => String(pk).includes(world.tenantId) && String(sk).startsWith("EXEC#"),
    );

  test("is written once, with its end: one call after its agent was read", async () => {
    await world.deploy("hello", computing);
    await world.execute("hello");
    expect(await calls(() => world.execute("hello"))).toEqual(["GetItem", "TransactWriteItems"]);
    expect(await world.counted("hello")).toMatchObject({ executions: 2 });
    expect(await world.open()).toEqual([]);
  });

  test("has the record of one that is written when it starts", async () => {
    const input = { name: "Ada", token: "hunter2" };
    const write = async (content: unknown) => {
      await world.deploy("hello", content);
      const { executionId } = await world.executeToEnd("hello", { input, metadata: { a: "b" } });
      const record = (await findRecords()).find(({ sk }) => String(sk).endsWith(executionId));
      const names = Object.keys(record ?? {}).toSorted();
      const { item, ...read } = await world.read("hello", executionId);
      return { names, input: read.input.input, output: read.output?.output, item };
    };
    const [atOnce, before] = [await write(computing), await write(asking)];
    expect(atOnce.names).toEqual(before.names);
    expect(atOnce.input).toEqual(before.input);
    expect(atOnce.output).toEqual(["1Hello, Ada!", "2Hello, Ada!"]);
    expect(atOnce.output).toEqual(before.output);
    const own = expect.anything();
    const ids = { id: own, traceId: own, startTime: own, createdAt: own, endTime: own };
    expect(atOnce.item).toEqual({ ...before.item, ...ids, agentRevision: 1 });
    expect(JSON.stringify(await db.scan())).not.toContain("hunter2");
  });

  test("that fails is recorded and counted, too", async () => {
    await world.deploy("hello", failing);
    const made = await calls(() => world.execute("hello"));
    expect(made.filter((name) => !/Get|Query/.test(name))).toEqual(["TransactWriteItems"]);
    const [item] = await world.list("hello");
    expect(item).toMatchObject({ status: "Failed", hasTrace: true });
    expect(await world.counted("hello")).toMatchObject({ executions: 1 });
  });

  test.each([
    ["a step calls a model", asking],
    ["it has a session", { ...computing, useSession: true }],
  ])("is written when it starts where %s", async (_, content) => {
    await world.deploy("hello", content);
    await world.execute("hello");
    const made = await calls(() => world.execute("hello"));
    expect(made.filter((name) => /^(Put|Transact)/.test(name))).toHaveLength(2);
  });

  test("is written when it starts for a caller of events, who sees its id before its end", async () => {
    await world.deploy("hello", computing);
    await world.stream("hello");
    expect(await calls(() => world.stream("hello"))).toEqual([
      "GetItem",
      "PutItem",
      "TransactWriteItems",
    ]);
  });

  /** Dependencies with which the first wait is over immediately, and the waits in seconds. */
  const hurry = () => {
    const { sleep } = world.timers;
    const seconds: number[] = [];
    const deps: typeof world.deps = {
      ...world.deps,
      // Its second is over before its first step.
      sleep: (ms, signal) => {
        seconds.push(ms / 1_000);
        return seconds.length === 1 ? Promise.resolve() : sleep(ms, signal);
      },
    };
    return { deps, seconds };
  };

  test("that takes longer than a second is started, and then runs as any other", async () => {
    await world.deploy("hello", computing);
    const { deps, seconds } = hurry();
    await world.execute("hello", {}, undefined, deps);
    db.calls.length = 0;
    seconds.length = 0;
    await world.execute("hello", {}, undefined, deps);
    expect(seconds[0]).toBe(1);
    expect(db.calls).toEqual(["GetItem", "PutItem", "TransactWriteItems"]);
    expect(await world.list("hello")).toMatchObject([
      { status: "Succeeded" },
      { status: "Succeeded" },
    ]);
    expect(await world.counted("hello")).toMatchObject({ executions: 2 });
  });

  test("that takes longer than a second takes its slot then, and not another second later", async () => {
    await world.deploy("hello", computing);
    const { deps, seconds } = hurry();
    const taken: string[] = [];
    const working: Promise<unknown>[] = [];
    const { ctx } = world.tenant;
    await executeAgent(deps, {
      ctx: {
        ...ctx,
        deadline: ctx.clock() + 900_000,
        events: undefined,
        waitUntil: (work) => working.push(work),
        takeSlot: async () => {
          taken.push("taken");
          return { release: async () => void taken.push("released") };
        },
      },
      agentId: "hello",
      body: {},
      triggerType: triggerTypes.api,
      isSample: false,
      waitMs: undefined,
    });
    await Promise.all(working);
    expect(taken).toEqual(["taken", "released"]);
    expect(seconds.filter((wait) => wait === 1)).toHaveLength(1);
  });

  test("is started, recorded and counted once after its end could not be written", async () => {
    await world.deploy("hello", computing);
    db.failNext("TransactWriteItems");
    expect(await world.executeToEnd("hello")).toMatchObject({ status: "Succeeded" });
    expect(await world.list("hello")).toMatchObject([{ status: "Succeeded" }]);
    expect(await world.counted("hello")).toMatchObject({ executions: 1 });
  });

  test("responds with the end that was written, although the table failed to say so", async () => {
    await world.deploy("hello", computing);
    db.loseNextResponse("TransactWriteItems");
    expect(await world.executeToEnd("hello")).toMatchObject({
      status: "Succeeded",
      output: ["1Hello, world!", "2Hello, world!"],
    });
    expect(await world.list("hello")).toHaveLength(1);
    expect(await world.counted("hello")).toMatchObject({ executions: 1 });
    expect(await world.open()).toEqual([]);
  });

  test("of another attempt with the same id responds with the end of the first", async () => {
    await world.deploy("hello", computing);
    const id = newUuid(world.tenant.ctx);
    const once = { token: id, earlier: [] };
    const first = await world.execute("hello", {}, undefined, world.deps, once);
    // Another attempt with the same id: its write finds the record.
    const second = await world.execute("hello", {}, undefined, world.deps, once);
    expect(second.execution).toEqual(first.execution);
    expect(await world.counted("hello")).toMatchObject({ executions: 1 });
  });

  test("of an agent that was deleted and purged meanwhile is deleted afterwards", async () => {
    await world.deploy("hello", computing);
    const { tenantId } = world;
    const purgeDeps = { ...world.tenant.deps, clock: world.tenant.ctx.clock, until: Infinity };
    const late = { type: "purge-late-executions", tenantId, agentId: "hello" } as const;
    let isDeleted = false;
    const endHooks: typeof world.deps.endHooks = {
      ...world.deps.endHooks,
      beforeEnd: async (...given) => {
        if (!isDeleted) {
          isDeleted = true;
          await deleteAgent(world.tenant.deps, { tenantId, agentId: "hello" });
          await purge({ type: "purge-agent", tenantId, agentId: "hello" }, purgeDeps);
        }
        return world.deps.endHooks.beforeEnd(...given);
      },
    };
    world.tenant.sent.length = 0;
    await world.executeToEnd("hello", {}, { ...world.deps, endHooks });
    expect(world.tenant.sent).toContainEqual(late);
    expect(await findRecords()).toHaveLength(1);
    world.tenant.advance(1_000);
    await world.tenant.createAgent("hello");
    await world.deploy("hello", computing);
    await world.executeToEnd("hello");
    await purge(late, purgeDeps);
    expect(await world.list("hello")).toHaveLength(1);
    expect(await findRecords()).toHaveLength(1);
  });

  test("and others of the agent that was created again, for an earlier cause, are kept where those of the old one are deleted", async () => {
    const { tenantId, deps } = world;
    const { ctx } = world.tenant;
    const toEarlierId = () => uuidAt(ctx.clock() - 1_000, ctx.randomBytes(10));
    await world.deploy("hello", computing);
    const deployed = await loadDeployed(deps, { tenantId, agentId: "hello" });
    if ("missing" in deployed) throw new Error(deployed.missing);
    const [queued, refused, computed] = [toEarlierId(), toEarlierId(), toEarlierId()];
    const replied = toEarlierId();
    const runner = { type: "worker", agent: deployed.agent } as const;
    await startExecution(deps, { ...world.planStart("hello", {}), id: queued, runner });
    const trigger = { type: triggerTypes.schedule, id: "daily", provider: null };
    const request = { tenantId, executionId: replied, trigger, input: {} };
    const plan = await planTriggered(deps, { deployed, request });
    if ("refusal" in plan) throw new Error(plan.refusal.detail);
    const deadline = ctx.clock() + 900_000;
    const { run } = await startRun(deps, { plan, deadline, inBackground: true });
    await run?.ended;
    await recordRefusal(deps, {
      deployed,
      cause: { tenantId, executionId: refused, trigger },
      refusal: { slug: "execution-failed", detail: "Invalid input" },
    });
    await world.execute("hello", {}, undefined, deps, { token: computed, earlier: [] });
    const purgeDeps = { ...world.tenant.deps, clock: ctx.clock, until: Infinity };
    await purge({ type: "purge-late-executions", tenantId, agentId: "hello" }, purgeDeps);
    const kept = (await findRecords()).map(({ sk }) => sk);
    expect(kept.toSorted()).toEqual(
      [queued, refused, computed, replied].map((id) => `EXEC#${id}`).toSorted(),
    );
  });

  test.each([
    [100, true],
    [101, false],
  ])(
    "with %i texts to mask may run together with those of others: %s",
    async (count, isAllowed) => {
      await world.deploy("hello", {
        ...computing,
        parametersMetadata: [...parametersMetadata, { name: "keys", type: "Json", secret: true }],
      });
      const { tenantId, tenant, deps } = world;
      const deployed = await loadDeployed(deps, { tenantId, agentId: "hello" });
      if ("missing" in deployed) throw new Error(deployed.missing);
      const trigger = { type: triggerTypes.webhook, id: "w", provider: "github" };
      // The JSON of all is a text, too.
      const keys = Array.from({ length: count - 1 }, (_, at) => `key-${at}`);
      const request = { tenantId, executionId: newUuid(tenant.ctx), trigger, input: { keys } };
      const plan = await planTriggered(deps, { deployed, request });
      expect("refusal" in plan || mayRunTogether(plan)).toBe(isAllowed);
    },
  );

  test("is awaited by what reads its end before it is written, unless it is too old to come", async () => {
    await world.deploy("hello", computing);
    const { tenantId, tenant, deps } = world;
    const executionId = newUuid(tenant.ctx);
    const key = { tenantId, agentId: "hello", executionId };
    const once = { token: executionId, earlier: [] };
    let pauses = 0;
    const sleep = async () => {
      pauses += 1;
      if (pauses === 2) await world.execute("hello", {}, undefined, deps, once);
    };
    const found = await readEnded({ ...deps, sleep }, key);
    expect(found?.execution.item).toMatchObject({ id: executionId, status: "Succeeded" });
    const never = { ...key, executionId: newUuid(tenant.ctx) };
    await expect(readEnded({ ...deps, sleep }, never)).rejects.toThrow("has not ended");
    tenant.advance(121_000);
    expect(await readEnded({ ...deps, sleep }, never)).toBeUndefined();
    // The execution of a delivery that waited in its queue has the time of the delivery.
    const old = { ...key, executionId: uuidAt(tenant.ctx.clock() - 600_000, Buffer.alloc(10, 7)) };
    const write = { token: old.executionId, earlier: [] };
    const late = async () => {
      await world.execute("hello", {}, undefined, deps, write);
    };
    const delayed = await readEnded({ ...deps, sleep: late }, old);
    expect(delayed?.execution.item).toMatchObject({ status: "Succeeded" });
  });
});
