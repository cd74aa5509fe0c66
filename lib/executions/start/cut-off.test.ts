import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { claimExecution, leaseMs, maxExecutionMs } from "../lease/execution-lease.ts";
import { createExecutions } from "./create-executions.ts";
import { startExecution } from "./start-execution.ts";

const asking = {
  parametersMetadata: [{ name: "text", type: "String" }],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: { steps: [{ id: "ask", type: "Prompt", prompt: "ask" }], edges: [] },
};
/** Random texts that are stored in the record, in an item of its own, and in the bucket. */
const sizes = { "its record": 10, "an item of its own": 2_000, "the bucket": 20_000 };

describe("an execution that is cut off", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  /** Lists the keys of all that is stored of the agent and of executions. */
  const listItemKeys = async (tenantId: string) =>
    (await db.scan()).flatMap(({ pk, sk }) =>
      /^TENANT#[^# ]+[# ](?:AGENT|EXEC)#/.test(`${pk} ${sk}`) && String(pk).includes(tenantId)
        ? [{ pk: String(pk), sk: String(sk) }]
        : [],
    );

  const start = async (bytes = 10, respond?: (tenantId: string) => Promise<string>) => {
    const asked: string[] = [];
    const world = testExecutions(db, async (prompt) => {
      asked.push(prompt);
      return (await respond?.(world.tenantId)) ?? prompt;
    });
    await world.deploy("a", asking);
    const request = world.planStart("a", { text: randomBytes(bytes).toString("base64") });
    const ends = async () => {
      const counted = await world.counted("a");
      const statuses = (await world.list("a")).map(({ status }) => status);
      return { statuses, counted, asked: asked.length };
    };
    return { world, request, ends };
  };
  const once = { statuses: ["Succeeded"], counted: { executions: 1, modelTokens: 10 } };

  test.each(Object.entries(sizes))(
    "after it was written with its input in %s, before it was queued, is queued by recovery",
    { tags: "nightly" },
    async (_, bytes) => {
      const { world, request, ends } = await start(bytes);
      await createExecutions(world.deps, [request]);
      world.tenant.advance(60_001);
      expect(await world.recover()).toBe(1);
      await world.work();
      expect(await ends()).toEqual({ ...once, asked: 1 });
      const { input } = await world.read("a", request.id ?? "");
      expect(input.input.input).toEqual(request.input);
    },
  );

  test("before it was queued is found by recovery although its id is of a later time", async () => {
    const { world, request, ends } = await start();
    const id = uuidAt(world.tenant.ctx.clock() + 3_600_000, randomBytes(10));
    await createExecutions(world.deps, [{ ...request, id }]);
    world.tenant.advance(60_001);
    expect(await world.recover()).toBe(1);
    await world.work();
    expect((await ends()).statuses).toEqual(["Succeeded"]);
  });

  test.each([
    ["an item of its own", "BatchExecuteStatement"],
    ["the bucket", "PutItem"],
  ] as const)(
    "with its input in %s at the start's %s is started once by the repeated message",
    { tags: "nightly" },
    async (place, command) => {
      const { world, request, ends } = await start(sizes[place]);
      db.failNext(command);
      const [failed] = await createExecutions(world.deps, [request]);
      expect(failed).toMatchObject({ error: { message: "planned failure" } });
      expect(await world.list("a")).toEqual([]);
      const [first] = await createExecutions(world.deps, [request]);
      const [second] = await createExecutions(world.deps, [request]);
      expect([first, second]).toMatchObject([{ isNew: true }, { isNew: false }]);
      expect(world.tenant.deps.objects.all.size).toBe(place === "the bucket" ? 1 : 0);
      world.tenant.advance(60_001);
      await world.recover();
      await world.work();
      expect(await ends()).toEqual({ ...once, asked: 1 });
    },
  );

  test("before its input was written, by a request that is not repeated, has no record", async () => {
    const { world, request } = await start(sizes["an item of its own"]);
    db.failNext("PutItem");
    await expect(startExecution(world.deps, request)).rejects.toThrow("planned failure");
    expect(await world.list("a")).toEqual([]);
  });

  test("while its record was written and its input was not is run after the repeated message", {
    tags: "nightly",
  }, async () => {
    const { world, request, ends } = await start(sizes["an item of its own"]);
    await createExecutions(world.deps, [request]);
    const parts = (await listItemKeys(world.tenantId)).filter(({ sk }) => sk.includes("#INPUT#"));
    expect(parts).toHaveLength(1);
    await deleteTogether(db, parts);
    world.tenant.advance(60_001);
    await world.recover();
    await expect(world.work()).rejects.toThrow("is missing");
    expect(await createExecutions(world.deps, [request])).toMatchObject([{ isNew: false }]);
    world.tenant.advance(leaseMs + 1);
    await world.recover();
    await world.work();
    expect(await ends()).toEqual({ ...once, asked: 1 });
  });

  test("after its claim is continued when the lease of the dead worker is over", {
    tags: "nightly",
  }, async () => {
    const { world, request, ends } = await start();
    await createExecutions(world.deps, [request]);
    const now = world.tenant.ctx.clock();
    const { tenantId } = world;
    const place = { tenantId, agentId: "a", executionId: request.id };
    const claim = {
      owner: "dead",
      now,
      leaseUntil: now + leaseMs,
      endsBy: now + maxExecutionMs,
    };
    expect(await claimExecution(db, place, claim)).toMatchObject({ lease: { claims: 1 } });
    expect(await claimExecution(db, place, { ...claim, owner: "other" })).toBeUndefined();
    world.tenant.advance(leaseMs - 1);
    expect(await world.recover()).toBe(0);
    world.tenant.advance(2);
    expect(await world.recover()).toBe(1);
    await world.work();
    expect(await ends()).toEqual({ ...once, asked: 1 });
  });

  test.each(Object.entries(sizes))(
    "before it was written with its input in %s, until its agent was deleted, leaves nothing",
    async (_, bytes) => {
      const { world, request } = await start(bytes);
      await deleteTogether(db, await listItemKeys(world.tenantId));
      await createExecutions(world.deps, [request]);
      world.tenant.advance(60_001);
      expect(await world.recover()).toBe(1);
      await world.work();
      expect(await listItemKeys(world.tenantId)).toEqual([]);
      expect(world.tenant.deps.objects.all.size).toBe(0);
    },
  );

  test("by the deletion of its agent while it runs leaves nothing", async () => {
    const { world, request } = await start(10, async (tenantId) => {
      await deleteTogether(db, await listItemKeys(tenantId));
      return randomBytes(2_000).toString("base64");
    });
    await createExecutions(world.deps, [request]);
    world.tenant.advance(60_001);
    await world.recover();
    await world.work();
    expect(await listItemKeys(world.tenantId)).toEqual([]);
  });

  test("between a step and its checkpoint repeats that step alone, and is counted once", {
    tags: "nightly",
  }, async () => {
    const { world, request, ends } = await start();
    await createExecutions(world.deps, [request]);
    world.tenant.advance(60_001);
    await world.recover();
    db.failNext("PutItem");
    db.failNext("PutItem");
    db.failNext("PutItem");
    await expect(world.work()).rejects.toThrow("planned failure");
    db.clearFailures();
    world.tenant.advance(leaseMs + 1);
    await world.recover();
    await world.work();
    expect(await ends()).toEqual({ ...once, asked: 2 });
  });

  test("is neither run nor counted again after its end was written and the response was lost", {
    tags: "nightly",
  }, async () => {
    const { world, request, ends } = await start();
    await createExecutions(world.deps, [request]);
    world.tenant.advance(60_001);
    await world.recover();
    const messages = [...world.tenant.sent];
    db.loseNextResponse("TransactWriteItems");
    await expect(world.work()).rejects.toThrow("planned loss");
    world.tenant.sent.push(...messages);
    await world.work();
    world.tenant.advance(120_000);
    expect(await world.recover()).toBe(0);
    expect(await ends()).toEqual({ ...once, asked: 1 });
  });

  test("while its record has no room for the result: a dead run's result is not read", {
    tags: "nightly",
  }, async () => {
    const { world, request } = await start();
    await world.deploy("a", {
      ...asking,
      flow: {
        steps: [{ id: "ask", type: "Transform", value: "{% input.text & $random() %}" }],
        edges: [],
      },
    });
    const input = { text: randomBytes(2_000).toString("base64") };
    await createExecutions(world.deps, [{ ...request, agentRevision: 2, input }]);
    world.tenant.advance(60_001);
    await world.recover();
    db.failNext("TransactWriteItems");
    await expect(world.work()).rejects.toThrow("planned failure");
    world.tenant.advance(leaseMs + 1);
    await world.recover();
    await world.work();
    const values = (await db.scan()).filter(({ sk }) =>
      String(sk).startsWith(`EXEC#${request.id}#END`),
    );
    expect(values).toHaveLength(2);
    const { item, output } = await world.read("a", request.id ?? "");
    expect(item.status).toBe("Succeeded");
    expect(output?.output).toContain(input.text);
  });
});
