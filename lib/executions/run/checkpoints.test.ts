import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { type Respond, testExecutions } from "../../../test/harness/execution.ts";
import { memoryObjects } from "../../../test/harness/in-memory.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { withinCallersTime } from "../../platform/runtime/aws-retry.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { leaseMs, maxExecutionMs } from "../lease/execution-lease.ts";

const llmConfigs = [{ providerId: "test", parameters: {} }];
const chain = (...steps: readonly { id: string; [member: string]: unknown }[]) => ({
  llmConfigs,
  flow: {
    steps,
    edges: steps.slice(1).map(({ id }, at) => ({ source: steps[at]?.id, target: id })),
  },
});
const transform = (id: string, value: unknown) => ({ id, type: "Transform", value });
const throttled = () =>
  Object.assign(new Error("throttled"), { name: "ThrottlingException", $metadata: {} });
const prompt = (id: string, text: string) => ({ id, type: "Prompt", prompt: text });

describe("the checkpoints of an execution in the background", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  const start = async (content: unknown, respond?: Respond, table = db) => {
    const world = testExecutions(table, respond);
    await world.deploy("a", content);
    const { tenant, clock } = world.tenant.ctx;
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(table, { ...tenant, slug: tenant.id, displayName: "Test", ...times });
    return world;
  };
  const listStepItems = async ({ tenantId }: { tenantId: string }) =>
    (await db.scan()).filter(
      ({ pk, sk }) => String(pk).includes(tenantId) && String(sk).startsWith("STEP#"),
    );

  test("are not written for steps that only compute", { tags: "nightly" }, async () => {
    const world = await start(
      chain(transform("one", 1), transform("two", "{% steps.one.output + 1 %}")),
    );
    await world.execute("a");
    await world.accept("a");
    db.calls.length = 0;
    await world.work();
    expect(db.calls).toEqual(["UpdateItem", "TransactWriteItems"]);
    expect(await listStepItems(world)).toEqual([]);
    expect((await world.list("a")).map(({ status }) => status)).toEqual(["Succeeded", "Succeeded"]);
  });

  test("have the values that an effect has seen: a resumed run computes none of them again", {
    tags: "nightly",
  }, async () => {
    const reached = gate();
    const held = gate();
    const world = await start(
      chain(
        transform("random", "{% $string($random()) %}"),
        prompt("report", "{% 'reported ' & steps.random.output %}"),
        prompt("wait", "wait"),
        transform("both", "{% [steps.random.output, steps.report.output] %}"),
      ),
      async (text) => {
        if (text !== "wait") return text;
        reached.resolve();
        await held.promise;
        return text;
      },
    );
    const { executionId } = await world.accept("a");
    const worker = world.workOnce();
    await reached.promise;
    expect((await listStepItems(world)).map(({ sk }) => sk)).toEqual(["STEP#report"]);
    world.tenant.advance(leaseMs + 1);
    await world.recover();
    const second = testExecutions(db);
    await world.work({ ...world.deps, modelsFor: second.deps.modelsFor });
    held.resolve();
    await worker;
    const { output } = await world.read("a", executionId);
    const [random, notified] = z.tuple([z.string(), z.string()]).parse(output?.output);
    expect(notified).toBe(`reported ${random}`);
  });

  test("that are too large for an item are deleted from the bucket at the end, and expire there after a crash", async () => {
    const world = await start(chain(prompt("noise", "noise"), prompt("end", "end")), (text) =>
      text === "noise" ? randomBytes(60_000).toString("base64") : text,
    );
    const objects = memoryObjects();
    const put: string[] = [];
    const deps: typeof world.deps = {
      ...world.deps,
      objects: {
        ...objects,
        put: async (key, body) => {
          put.push(key);
          await objects.put(key, body);
        },
      },
    };
    const { executionId } = await world.accept("a");
    await world.work(deps);
    const [step] = put;
    expect(step).toBe(`steps/${world.tenantId}/a/executions/${executionId}/noise`);
    expect([...objects.all.keys()].filter((key) => key.startsWith("steps/"))).toEqual([]);
  });

  test("are stored with patience when a run is given up: retries of its caller are used up, and no step is repeated", {
    tags: "nightly",
  }, async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let isBusy = true;
    let failing = false;
    const own = await testDatabase();
    own.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (isBusy && commandName === "TransactWriteItemsCommand" && asked.length > 0) {
            // The caller's retries are used up by one failure.
            vi.setSystemTime(Date.now() + 6_000);
            failing = true;
            throw throttled();
          }
          if (failing && commandName === "PutItemCommand") {
            failing = false;
            throw throttled();
          }
          return next(args);
        },
      { step: "finalizeRequest", priority: "low" },
    );
    const asked: string[] = [];
    const world = await start(
      chain(prompt("pay", "pay"), transform("out", 1)),
      (text) => {
        asked.push(text);
        return text;
      },
      own,
    );
    await withinCallersTime(Date.now() + 29_000, () => world.execute("a"));
    await Promise.all(world.background);
    isBusy = false;
    await world.work();
    expect((await world.list("a")).map(({ status }) => status)).toEqual(["Succeeded"]);
    expect(asked).toEqual(["pay"]);
  });

  test("are written after 25 s for a caller who waits longer", async () => {
    const slow = gate();
    const world = await start(chain(prompt("pay", "pay"), prompt("wait", "wait")), async (text) => {
      if (text === "wait") {
        world.timers.pass(24_999);
        asked.resolve();
        await slow.promise;
      }
      return text;
    });
    const asked = gate();
    const result = world.execute("a", {}, 48_000);
    await asked.promise;
    expect(await listStepItems(world)).toEqual([]);
    world.timers.pass(1);
    await expect.poll(() => listStepItems(world)).toHaveLength(1);
    slow.resolve();
    expect(await result).toMatchObject({ status: "ended" });
  });

  test("expire long after an execution may take", async () => {
    const world = await start(chain(prompt("ask", "ask")));
    const { startTime } = await world.accept("a");
    await world.work();
    const [{ ttl } = {}] = await listStepItems(world);
    expect(Number(ttl) * 1_000).toBeGreaterThan(startTime + 10 * maxExecutionMs);
  });
});
