import { setImmediate } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Respond, testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { leaseMs, maxClaims, renewalMs } from "../lease/execution-lease.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";

const llmConfigs = [{ providerId: "test", parameters: {} }];
const child = {
  parametersMetadata: [{ name: "topic", type: "String", required: true }],
  llmConfigs,
  flow: {
    steps: [
      { id: "think", type: "Prompt", prompt: "think of {% input.topic %}" },
      { id: "say", type: "Prompt", prompt: "say {% steps.think.output %}" },
    ],
    edges: [{ source: "think", target: "say" }],
  },
};
const parent = (agentId: string) => ({
  llmConfigs,
  flow: {
    steps: [
      { id: "before", type: "Prompt", prompt: "before" },
      { id: "call", type: "SubAgent", agentId, input: { topic: "{% steps.before.output %}" } },
      { id: "after", type: "Prompt", prompt: "after {% steps.call.output %}" },
    ],
    edges: [
      { source: "before", target: "call" },
      { source: "call", target: "after" },
    ],
  },
});

describe("a sub-agent", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  const worlds: ReturnType<typeof testExecutions>[] = [];
  const start = async (respond?: Respond) => {
    const world = testExecutions(db, respond);
    await world.deploy("child", child);
    await world.deploy("parent", parent("child"));
    worlds.push(world);
    return world;
  };

  // Whatever happens in a test, an execution's cost with its sub-agents is right when it has ended.
  afterEach(async () => {
    for (const world of worlds.splice(0)) {
      const children = await world.list("child");
      for (const { id, totalCost, totalCostWithSubAgents } of await world.list("parent")) {
        const below = children.filter(({ trigger }) => trigger.id === id);
        const sum = below.reduce((cost, child) => cost + child.totalCost, totalCost);
        expect(totalCostWithSubAgents).toBeCloseTo(sum, 9);
      }
    }
  });

  test("runs as an execution of its own, started by its parent, and is counted separately", {
    tags: "nightly",
  }, async () => {
    const world = await start();
    const result = await world.executeToEnd("parent");
    expect(result.output).toBe("after say think of before");
    expect(world.timers.waiting()).toBe(0);
    const [record] = await world.list("child");
    expect(record).toMatchObject({
      status: "Succeeded",
      trigger: { type: 4, id: result.executionId, provider: null },
      traceId: result.executionId.replaceAll("-", ""),
    });
    expect(await world.counted("parent")).toEqual({ executions: 1, modelTokens: 20 });
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 20 });
    expect(record).toMatchObject({ totalCost: 0.02, totalCostWithSubAgents: 0.02 });
    expect((await world.list("parent"))[0]).toMatchObject({
      totalCost: 0.02,
      totalCostWithSubAgents: 0.04,
    });
  });

  test("with invalid input or a failure fails the step that called it, with the cause", {
    tags: "nightly",
  }, async () => {
    const world = await start((prompt) => {
      if (prompt.startsWith("say")) throw new TypeError("boom");
      return prompt;
    });
    await expect(world.execute("parent")).rejects.toMatchObject({
      slug: "execution-failed",
      members: { step: "call" },
      message: expect.stringContaining('The sub-agent "child" failed'),
    });
    const [record] = await world.list("child");
    expect(record?.status).toBe("Failed");
    await world.deploy("child", {
      ...child,
      parametersMetadata: [{ name: "topic", type: "Integer" }],
    });
    await expect(world.execute("parent")).rejects.toMatchObject({
      message: expect.stringContaining("/input/topic"),
    });
  });

  test("continues when the run of its parent was terminated: neither starts again or repeats a step", {
    tags: "nightly",
  }, async () => {
    const asked: string[] = [];
    const held = gate();
    const reached = gate();
    const world = await start(async (prompt) => {
      asked.push(prompt.split(" ")[0] ?? "");
      if (prompt.startsWith("say")) {
        reached.resolve();
        await held.promise;
      }
      return prompt;
    });
    const accepting = world.accept("parent", 5_000);
    await reached.promise;
    world.timers.pass(5_000);
    await accepting;
    world.tenant.advance(leaseMs + renewalMs);
    await world.recover();
    const second = testExecutions(db, (prompt) => {
      asked.push(prompt.split(" ")[0] ?? "");
      return prompt;
    });
    await world.work({ ...world.deps, modelsFor: second.deps.modelsFor });
    held.resolve();
    await Promise.all(world.background);
    expect(asked).toEqual(["before", "think", "say", "say", "after"]);
    expect((await world.list("parent")).map(({ status }) => status)).toEqual(["Succeeded"]);
    expect((await world.list("child")).map(({ status }) => status)).toEqual(["Succeeded"]);
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 20 });
    expect(await world.counted("parent")).toEqual({ executions: 1, modelTokens: 20 });
  });

  test("is cancelled with its parent, whichever run detects it", { tags: "nightly" }, async () => {
    const reached = gate();
    const world = await start(async (prompt, { signal }) => {
      if (!prompt.startsWith("say")) return prompt;
      reached.resolve();
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      return prompt;
    });
    const accepting = world.accept("parent", 5_000);
    await reached.promise;
    world.timers.pass(5_000);
    const { executionId } = await accepting;
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "parent", executionId });
    world.timers.pass(renewalMs);
    await Promise.all(world.background);
    expect((await world.list("parent")).map(({ status }) => status)).toEqual(["Cancelled"]);
    expect((await world.list("child")).map(({ status }) => status)).toEqual(["Cancelled"]);
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 10 + 15 });
  });

  test("of a parent that was cancelled after its run was terminated is cancelled and counted", {
    tags: "nightly",
  }, async () => {
    const reached = gate();
    const held = gate();
    const world = await start(async (prompt) => {
      if (!prompt.startsWith("say")) return prompt;
      reached.resolve();
      await held.promise;
      return prompt;
    });
    const accepting = world.accept("parent", 5_000);
    await reached.promise;
    world.timers.pass(5_000);
    const { executionId } = await accepting;
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "parent", executionId });
    world.tenant.advance(leaseMs + renewalMs);
    await world.recover();
    await world.work();
    expect((await world.list("child")).map(({ status }) => status)).toEqual(["Cancelled"]);
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 10 });
    expect(await world.counted("parent")).toEqual({ executions: 1, modelTokens: 10 });
    held.resolve();
    await Promise.all(world.background);
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 10 });
  });

  const asks = (id: string) => ({ id, type: "Prompt", prompt: id });
  const calls = (topic: string) => ({
    id: topic,
    type: "SubAgent",
    agentId: "child",
    input: { topic },
  });
  const statuses = async (world: Awaited<ReturnType<typeof start>>, agentId: string) =>
    (await world.list(agentId)).map(({ status }) => status);

  test("is continued by the next run of its parent and counted after its end could not be written", {
    tags: "nightly",
  }, async () => {
    const asked: string[] = [];
    const world = await start((prompt) => {
      asked.push(prompt.split(" ")[0] ?? "");
      if (prompt.startsWith("say")) db.failNext("TransactWriteItems");
      return prompt;
    });
    await world.accept("parent", 25_000);
    expect(await statuses(world, "parent")).toEqual(["Running"]);
    await world.work();
    expect(await statuses(world, "parent")).toEqual(["Succeeded"]);
    expect(await statuses(world, "child")).toEqual(["Succeeded"]);
    expect(asked).toEqual(["before", "think", "say", "after"]);
    expect(await world.counted("parent")).toEqual({ executions: 1, modelTokens: 20 });
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 20 });
  });

  test("prevents its parent from ending without it, also when the flow of the parent has ended", {
    tags: "nightly",
  }, async () => {
    const reached = gate();
    const world = await start(async (prompt, { signal }) => {
      if (prompt === "last") await reached.promise;
      if (!prompt.startsWith("think")) return prompt;
      reached.resolve();
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      db.failNext("TransactWriteItems");
      return prompt;
    });
    await world.deploy("parent", {
      llmConfigs,
      flow: {
        steps: [calls("held"), asks("last"), { id: "out", type: "Output", value: "ended" }],
        edges: [{ source: "last", target: "out" }],
      },
    });
    expect(await world.execute("parent")).toMatchObject({ status: "accepted" });
    world.tenant.advance(leaseMs);
    await world.recover();
    await world.work();
    expect(await statuses(world, "parent")).toEqual(["Succeeded"]);
    expect(await statuses(world, "child")).toEqual(["Cancelled"]);
  });

  test.each([
    { failing: "the storage of another sub-agent", step: calls("other") },
    { failing: "the storage of another step", step: asks("say other") },
  ])("is not cancelled by a failure of $failing", { tags: "nightly" }, async ({ step }) => {
    const reached = gate();
    let failed = false;
    const world = await start(async (prompt, { signal }) => {
      if (failed) return prompt;
      if (prompt.includes("held")) {
        if (prompt.startsWith("think")) return prompt;
        reached.resolve();
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      }
      if (prompt.startsWith("say") && prompt.includes("other")) {
        await reached.promise;
        failed = true;
        db.failNext("PutItem");
      }
      return prompt;
    });
    const steps = [calls("held"), { ...step, id: "other" }];
    await world.deploy("parent", { llmConfigs, flow: { steps, edges: [] } });
    await world.accept("parent");
    await world.work().catch(() => undefined);
    world.tenant.advance(leaseMs);
    await world.recover();
    await world.work();
    expect(await statuses(world, "parent")).toEqual(["Succeeded"]);
    expect(new Set(await statuses(world, "child"))).toEqual(new Set(["Succeeded"]));
  });

  test.each([
    { failing: "it is started", fail: () => db.failNext("TransactWriteItems") },
    {
      failing: "the response to its start is lost",
      fail: () => db.loseNextResponse("TransactWriteItems"),
    },
    { failing: "its agent is read", fail: () => db.failNext("GetItem") },
  ])(
    "runs once in the next run of its parent when storage fails as $failing",
    { tags: "nightly" },
    async ({ fail }) => {
      let failed = false;
      const world = await start((prompt) => {
        if (prompt === "before" && !failed) {
          failed = true;
          fail();
        }
        return prompt;
      });
      expect(await world.execute("parent")).toMatchObject({ status: "accepted" });
      expect(db.clearFailures()).toBe(false);
      await world.work();
      expect(await statuses(world, "parent")).toEqual(["Succeeded"]);
      expect(await statuses(world, "child")).toEqual(["Succeeded"]);
      expect(await world.counted("parent")).toEqual({ executions: 1, modelTokens: 20 });
    },
  );

  test("that can never be started fails its parent after the last claim", {
    tags: "nightly",
  }, async () => {
    const world = await start();
    await world.accept("parent", 0);
    for (let claim = 1; claim <= maxClaims; claim += 1) {
      db.failNext("TransactWriteItems");
      await world.workOnce();
    }
    await world.workOnce();
    expect(await statuses(world, "parent")).toEqual(["Failed"]);
    expect(await statuses(world, "child")).toEqual([]);
  });

  /** A parent with a sub-agent that waits in its second step until it is stopped. */
  const startBlocked = async () => {
    const reached = gate();
    const held = gate();
    const world = await start(async (prompt, { signal }) => {
      if (!prompt.startsWith("say")) return prompt;
      reached.resolve();
      const aborted = new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => resolve()),
      );
      await Promise.race([held.promise, aborted]);
      return prompt;
    });
    const accepting = world.accept("parent", 5_000);
    await reached.promise;
    world.timers.pass(5_000);
    await accepting;
    const [record] = await world.list("child");
    return { world, held, childId: record?.id ?? "" };
  };

  test("that is cancelled without its parent stops at the next check, is counted once, and fails its step", {
    tags: "nightly",
  }, async () => {
    const { world, childId } = await startBlocked();
    await cancelExecution(world.deps, {
      tenantId: world.tenantId,
      agentId: "child",
      executionId: childId,
    });
    world.timers.pass(renewalMs);
    await Promise.all(world.background);
    const [record] = await world.list("parent");
    expect(record?.status).toBe("Failed");
    const { output } = await world.read("parent", record?.id ?? "");
    expect(output?.error).toMatchObject({ step: "call", detail: expect.stringContaining(childId) });
    expect(await statuses(world, "child")).toEqual(["Cancelled"]);
    expect(await world.counted("child")).toMatchObject({ executions: 1 });
    expect((await world.list("child"))[0]?.totalCost).toBeGreaterThan(0.01);
    expect(world.timers.waiting()).toBe(0);
  });

  test("stops although the first check for a cancellation failed", {
    tags: "nightly",
  }, async () => {
    const { world, childId } = await startBlocked();
    await cancelExecution(world.deps, {
      tenantId: world.tenantId,
      agentId: "child",
      executionId: childId,
    });
    db.failNext("BatchGetItem");
    world.timers.pass(renewalMs);
    await expect.poll(() => world.timers.waiting()).toBeGreaterThan(0);
    const stopped = Promise.all(world.background);
    for (const isOver = stopped.then(() => true); ; world.timers.pass(renewalMs)) {
      if (await Promise.race([isOver, setImmediate(false)])) break;
    }
    expect(await statuses(world, "child")).toEqual(["Cancelled"]);
  });

  test("that was cancelled between runs is counted by the next run of its parent", {
    tags: "nightly",
  }, async () => {
    const { world, held, childId } = await startBlocked();
    await cancelExecution(world.deps, {
      tenantId: world.tenantId,
      agentId: "child",
      executionId: childId,
    });
    world.tenant.advance(leaseMs + renewalMs);
    await world.recover();
    await world.work();
    expect(await statuses(world, "parent")).toEqual(["Failed"]);
    expect(await statuses(world, "child")).toEqual(["Cancelled"]);
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 10 });
    held.resolve();
    await Promise.all(world.background);
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 10 });
  });

  test("cannot call an agent that is above it in the call chain, or be nested more than five levels deep", async () => {
    const world = testExecutions(db);
    const calls = (agentId: string) => ({
      flow: { steps: [{ id: "call", type: "SubAgent", agentId, input: {} }], edges: [] },
    });
    await world.deploy("d6", {
      flow: { steps: [{ id: "end", type: "Output", value: 1 }], edges: [] },
    });
    for (let depth = 5; depth >= 0; depth -= 1) {
      await world.deploy(`d${depth}`, calls(`d${depth + 1}`));
    }
    await expect(world.execute("d0")).rejects.toMatchObject({
      message: expect.stringContaining("at most 5 deep"),
    });
    expect((await world.executeToEnd("d1")).output).toBe(1);
  });
});
