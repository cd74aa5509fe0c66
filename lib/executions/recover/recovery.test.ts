import { beforeAll, describe, expect, test } from "vitest";
import { type Respond, testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { reserveSpend } from "../../spending/budget/reserve-spend.ts";
import { getMonthSpend } from "../../spending/budget/spend-store.ts";
import { leaseMs, maxClaims, maxExecutionMs, renewalMs } from "../lease/execution-lease.ts";
import { readTrace } from "../read/read-execution.ts";
import { reserveOnRecord } from "../record/store.ts";
import { cancelExecution } from "./cancel-execution.ts";

const twoSteps = {
  parametersMetadata: [
    { name: "token", type: "String", secret: true, defaultValue: "s3cret-token" },
  ],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps: [
      { id: "first", type: "Prompt", prompt: "first {% input.token %}" },
      { id: "second", type: "Prompt", prompt: "second {% steps.first.output %}" },
    ],
    edges: [{ source: "first", target: "second" }],
  },
};
const inTwoMinutes = 120_000;
/** Estimated input tokens of the second step's call when it is cut short. */
const cutTokens = 13;

/** A model that blocks every second step until it is released, and counts its requests. */
const blockingModel = () => {
  const asked: string[] = [];
  const held = gate();
  const reached = gate();
  const respond: Respond = async (prompt, { signal }) => {
    asked.push(prompt.split(" ")[0] ?? "");
    if (prompt.startsWith("first")) return "one";
    reached.resolve();
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve()),
    );
    await Promise.race([held.promise, aborted]);
    return "two";
  };
  return { asked, release: held.resolve, reached: reached.promise, runTurn: respond };
};

describe("an execution in the background", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  const start = async (respond?: Respond) => {
    const world = testExecutions(db, respond);
    await world.deploy("a", twoSteps);
    return world;
  };

  test("is Queued immediately, run by a worker, and counted once however often its message is delivered", {
    tags: "nightly",
  }, async () => {
    const world = await start();
    const accepted = await world.accept("a");
    expect(accepted).toMatchObject({ status: "Queued", output: null });
    const messages = [...world.tenant.sent];
    await world.work();
    world.tenant.sent.push(...messages, ...messages);
    await world.work();
    const { item } = await world.read("a", accepted.executionId);
    expect(item.status).toBe("Succeeded");
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 });
  });

  test("is accepted when the wait ends, and continues in the same run", async () => {
    const model = blockingModel();
    const world = await start(model.runTurn);
    const accepting = world.accept("a", 5_000);
    await model.reached;
    world.timers.pass(5_000);
    expect(await accepting).toMatchObject({ status: "Running", endTime: null });
    model.release();
    await Promise.all(world.background);
    const [item] = await world.list("a");
    expect(item?.status).toBe("Succeeded");
    expect(model.asked).toEqual(["first", "second"]);
    expect(world.tenant.sent).toEqual([]);
    const items = (await db.scan()).filter(({ pk }) => String(pk).includes(world.tenantId));
    const steps = items.filter(({ sk }) => String(sk).startsWith("STEP#"));
    expect(steps.map(({ sk, ttl }) => [sk, typeof ttl])).toEqual([
      ["STEP#first", "number"],
      ["STEP#second", "number"],
    ]);
  });

  test("that has steps left when the wait ends is queued after the step in progress, which is not repeated", async () => {
    const model = blockingModel();
    const world = testExecutions(db, model.runTurn);
    const { steps, edges } = twoSteps.flow;
    await world.deploy("a", {
      ...twoSteps,
      flow: {
        steps: [...steps, { id: "third", type: "Prompt", prompt: "third" }],
        edges: [...edges, { source: "second", target: "third" }],
      },
    });
    const accepting = world.accept("a", 5_000);
    await model.reached;
    world.timers.pass(5_000);
    expect(await accepting).toMatchObject({ status: "Running", endTime: null });
    expect(world.tenant.sent).toEqual([]);
    model.release();
    await Promise.all(world.background);
    expect(model.asked).toEqual(["first", "second"]);
    expect(world.tenant.sent).toMatchObject([{ type: "run-execution" }]);
    await world.work();
    const [item] = await world.list("a");
    expect(item?.status).toBe("Succeeded");
    expect(model.asked).toEqual(["first", "second", "third"]);
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 30 });
  });

  test("continues within two minutes after its run was terminated, repeating no finished step", {
    tags: "nightly",
  }, async () => {
    const model = blockingModel();
    const world = await start(model.runTurn);
    const accepting = world.accept("a", 5_000);
    await model.reached;
    world.timers.pass(5_000);
    await accepting;
    // The first machine stops: time passes for all others.
    world.tenant.advance(leaseMs + renewalMs);
    expect(leaseMs + renewalMs + 60_000).toBeLessThan(inTwoMinutes);
    expect(await world.recover()).toBe(1);
    expect(await world.recover()).toBe(0);
    const second = testExecutions(db, () => "two");
    await world.work({ ...world.deps, modelsFor: second.deps.modelsFor });
    const [item] = await world.list("a");
    expect(item?.status).toBe("Succeeded");
    expect(model.asked).toEqual(["first", "second"]);
    // The first machine was only slow: its late writes change and count nothing.
    model.release();
    await Promise.all(world.background);
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 });
    expect((await world.list("a")).map(({ status }) => status)).toEqual(["Succeeded"]);
  });

  test("is handed over shortly before its function times out, repeating no finished step", {
    tags: "nightly",
  }, async () => {
    const model = blockingModel();
    const world = await start(model.runTurn);
    await world.accept("a");
    const worker = world.workOnce();
    await model.reached;
    const [claimed] = (await world.open()).filter(
      (execution) => execution.tenantId === world.tenantId,
    );
    expect(claimed).toMatchObject({ claims: 1 });
    world.timers.pass(maxExecutionMs - 20_000);
    const second = testExecutions(db, () => "two");
    await worker;
    expect((await world.list("a"))[0]?.status).toBe("Running");
    await world.work({ ...world.deps, modelsFor: second.deps.modelsFor });
    expect((await world.list("a"))[0]?.status).toBe("Succeeded");
    expect(model.asked).toEqual(["first", "second"]);
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 + cutTokens });
  });

  test("counts the usage of a step that a hand-over interrupted, in addition to that of its repetition", {
    tags: "nightly",
  }, async () => {
    const reached = gate();
    const held = gate();
    let turns = 0;
    const world = testExecutions(db, async () => {
      turns += 1;
      if (turns === 2) {
        reached.resolve();
        await held.promise;
      }
      return turns === 1 ? "not json" : '{"ok": true}';
    });
    const outputSchema = { type: "object", required: ["ok"] };
    await world.deploy("a", {
      llmConfigs: [{ providerId: "test", parameters: {} }],
      flow: { steps: [{ id: "ask", type: "Prompt", prompt: "ask", outputSchema }], edges: [] },
    });
    await world.accept("a");
    const worker = world.workOnce();
    await reached.promise;
    world.timers.pass(maxExecutionMs - 20_000);
    held.resolve();
    await worker;
    expect((await world.list("a"))[0]?.status).toBe("Running");
    await world.work();
    expect((await world.list("a"))[0]?.status).toBe("Succeeded");
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 + 72 });
  });

  test("takes at most fifteen minutes over all of its runs", async () => {
    const model = blockingModel();
    const world = await start(model.runTurn);
    const accepting = world.accept("a", 5_000);
    await model.reached;
    world.timers.pass(5_000);
    await accepting;
    world.tenant.advance(maxExecutionMs);
    await world.recover();
    await world.work();
    expect((await world.list("a"))[0]).toMatchObject({ status: "TimedOut", hasResult: false });
  });

  test("that terminates every worker fails after its last claim", { tags: "nightly" }, async () => {
    const world = await start();
    const { executionId } = await world.accept("a");
    world.tenant.sent.length = 0;
    world.tenant.advance(60_001);
    await world.recover();
    for (let claim = 0; claim < maxClaims; claim += 1) {
      db.failNext("BatchGetItem");
      await expect(world.work()).rejects.toThrow("planned failure");
      world.tenant.advance(leaseMs + 1);
      await world.recover();
    }
    await world.work();
    const { item, output } = await world.read("a", executionId);
    expect(item.status).toBe("Failed");
    expect(output?.error?.detail).toContain("workers claimed the execution");
  });

  test.each(["GetItem", "UpdateItem", "TransactWriteItems", "PutItem", "BatchGetItem"])(
    "ends and is counted once although any one %s of its life fails",
    { tags: "nightly" },
    async (command) => {
      for (let passing = 0; passing < 4; passing += 1) {
        const world = await start();
        const { executionId } = await world.accept("a");
        db.failNext(command, passing);
        for (let round = 0; round < 6; round += 1) {
          await world.work().catch(() => undefined);
          world.tenant.advance(leaseMs + 60_000);
          await world.recover().catch(() => undefined);
        }
        const isUnfailed = db.clearFailures();
        const { item } = await world.read("a", executionId);
        expect(item.status).toBe("Succeeded");
        expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 });
        if (isUnfailed) return;
      }
    },
  );

  test("that could not be ended while its caller waited returns 202 and is continued by a worker, repeating no finished step", async () => {
    const asked: string[] = [];
    const world = await start((prompt) => {
      asked.push(prompt.split(" ")[0] ?? "");
      if (prompt.startsWith("second")) db.failNext("TransactWriteItems");
      return "said";
    });
    expect(await world.execute("a")).toMatchObject({ status: "accepted" });
    await world.work();
    expect((await world.list("a"))[0]?.status).toBe("Succeeded");
    expect(asked).toEqual(["first", "second"]);
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 });
  });

  test("that could not be recorded as failed counts the usage of the failed step, in addition to its repetition", {
    tags: "nightly",
  }, async () => {
    let asked = 0;
    const world = testExecutions(db, () => {
      asked += 1;
      if (asked === 1) db.failNext("TransactWriteItems");
      return "not json";
    });
    const step = { id: "ask", type: "Prompt", prompt: "ask", outputSchema: { type: "object" } };
    await world.deploy("a", {
      llmConfigs: [{ providerId: "test", parameters: {} }],
      flow: { steps: [step], edges: [] },
    });
    expect(await world.execute("a")).toMatchObject({ status: "accepted" });
    const askedFirst = asked;
    world.tenant.advance(1);
    await world.recover();
    await world.work();
    expect((await world.list("a"))[0]?.status).toBe("Failed");
    expect(asked).toBe(2 * askedFirst);
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 10 * asked });
  });

  test("keeps a step until it is written after its first write failed", async () => {
    const model = blockingModel();
    const world = await start(model.runTurn);
    const accepting = world.accept("a", 5_000);
    await model.reached;
    db.failNext("PutItem");
    world.timers.pass(5_000);
    await accepting;
    db.failNext("TransactWriteItems");
    model.release();
    await Promise.all(world.background);
    world.tenant.advance(1);
    await world.recover();
    await world.work();
    expect((await world.list("a"))[0]?.status).toBe("Succeeded");
    expect(model.asked).toEqual(["first", "second"]);
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 });
  });

  test("releases the reservation in its record, including one that its run does not have", async () => {
    const model = blockingModel();
    const world = await start(model.runTurn);
    const accepting = world.accept("a", 5_000);
    await model.reached;
    world.timers.pass(5_000);
    const { executionId, startTime } = await accepting;
    const month = toMonth(startTime);
    const { tenantId } = world;
    await reserveSpend(
      db,
      {
        tenantId,
        agentId: "a",
        startTime,
        executionId,
        reserveOnRecord: (more) => reserveOnRecord({ tenantId, agentId: "a", executionId }, more),
      },
      { more: 0.5, amount: 1 },
    );
    expect((await getMonthSpend(db, tenantId, "a", month)).committed).toBe(0.5);
    model.release();
    await Promise.all(world.background);
    expect(await getMonthSpend(db, tenantId, "a", month)).toMatchObject({
      spent: 0.02,
      committed: 0.02,
    });
  });

  test("is found, not started again, when the request is repeated after its function was terminated", async () => {
    const model = blockingModel();
    const world = await start(model.runTurn);
    const [token, next] = [newUuid(world.tenant.ctx), newUuid(world.tenant.ctx)];
    void world.execute("a", {}, undefined, world.deps, { token, earlier: [] });
    await model.reached;
    const again = await world.execute("a", {}, undefined, world.deps, {
      token: next,
      earlier: [token],
    });
    expect(again).toMatchObject({ status: "accepted", execution: { executionId: token } });
    model.release();
    await expect.poll(async () => (await world.list("a"))[0]?.status).toBe("Succeeded");
    expect(
      await world.execute("a", {}, undefined, world.deps, { token: next, earlier: [token] }),
    ).toMatchObject({
      status: "ended",
      execution: { executionId: token, status: "Succeeded", output: "two" },
    });
    expect(await world.list("a")).toHaveLength(1);
  });

  test("has no secret in its trace, not even inside another text", async () => {
    const world = await start();
    const { executionId } = await world.executeToEnd("a");
    const { spans } = await readTrace(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId,
      now: world.tenant.ctx.clock(),
    });
    expect(spans.length).toBeGreaterThan(1);
    expect(JSON.stringify(spans)).not.toContain("s3cret-token");
    expect(JSON.stringify(spans)).toContain("first ********");
  });

  test("has no secret in its trace while it runs, and continues with the unmasked output of a step", async () => {
    const held = gate();
    const reached = gate();
    const world = await start(async (prompt) => {
      if (!prompt.startsWith("second")) return prompt;
      reached.resolve();
      await held.promise;
      return prompt;
    });
    const accepting = world.accept("a", 5_000);
    await reached.promise;
    world.timers.pass(5_000);
    const { executionId } = await accepting;
    const { spans } = await readTrace(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId,
      now: world.tenant.ctx.clock(),
    });
    expect(JSON.stringify(spans)).toContain("first ********");
    expect(JSON.stringify(spans)).not.toContain("s3cret-token");
    world.tenant.advance(leaseMs + renewalMs);
    await world.recover();
    const prompts: string[] = [];
    const second = testExecutions(db, (prompt) => {
      prompts.push(prompt);
      return prompt;
    });
    await world.work({ ...world.deps, modelsFor: second.deps.modelsFor });
    held.resolve();
    await Promise.all(world.background);
    const { output } = await world.read("a", executionId);
    expect(prompts).toEqual(["second first s3cret-token"]);
    expect(output?.output).toBe("second first ********");
  });

  test("has no secret in its events, however the text of a model is divided", async () => {
    const world = await start((prompt, { onDelta }) => {
      for (const piece of prompt.split(/(?=cret|token)/)) onDelta?.(piece);
      return prompt;
    });
    const events = JSON.stringify(await world.stream("a"));
    expect(events).toContain("first ********");
    expect(events).not.toContain("s3cret-token");
    expect(events).not.toContain("cret-");
  });
});

describe("a cancel", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  test("stops the run, is never overwritten, and counts the usage once", async () => {
    const model = blockingModel();
    const world = testExecutions(db, model.runTurn);
    await world.deploy("a", twoSteps);
    const accepting = world.accept("a", 5_000);
    await model.reached;
    world.timers.pass(5_000);
    const { executionId } = await accepting;
    const cancelled = await cancelExecution(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId,
    });
    expect(cancelled.status).toBe("Cancelled");
    world.timers.pass(renewalMs);
    await Promise.all(world.background);
    const { item } = await world.read("a", executionId);
    expect(item).toMatchObject({
      status: "Cancelled",
      hasResult: false,
      inputTokens: 10 + cutTokens,
    });
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 10 + cutTokens });
    await expect(
      cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId }),
    ).rejects.toMatchObject({ slug: "conflict" });
    expect(
      (await world.open()).filter((execution) => execution.tenantId === world.tenantId),
    ).toEqual([]);
  });

  test("of a queued execution prevents it from running", async () => {
    const asked: string[] = [];
    const world = testExecutions(db, (prompt) => {
      asked.push(prompt);
      return prompt;
    });
    await world.deploy("a", twoSteps);
    const { executionId } = await world.accept("a");
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
    await world.work();
    expect(asked).toEqual([]);
    expect((await world.read("a", executionId)).item.status).toBe("Cancelled");
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 0 });
  });

  test("that races the end either wins or loses, and the execution is counted once", {
    tags: "nightly",
  }, async () => {
    const world = testExecutions(db);
    await world.deploy("a", twoSteps);
    const ids = await Promise.all(Array.from({ length: 12 }, () => world.accept("a")));
    const messages = world.tenant.sent.splice(0);
    const ends = await Promise.all(
      ids.map(async ({ executionId }, at) => {
        world.tenant.sent.push(messages[at]);
        const [outcome] = await Promise.all([
          cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId }).then(
            () => "Cancelled",
            () => "Succeeded",
          ),
          world.work(),
        ]);
        return { outcome, status: (await world.read("a", executionId)).item.status };
      }),
    );
    for (const { outcome, status } of ends) expect(status).toBe(outcome);
    expect((await world.counted("a")).executions).toBe(12);
  });
});
