import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import stored from "../../../test/fixtures/executions.2026-11-21.json" with { type: "json" };
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { cancelExecution } from "./cancel-execution.ts";
import { cancelOldLease, getOldLease } from "./old-items.ts";
import { readTrace } from "./read-trace.ts";

const asking = {
  parametersMetadata: [{ name: "name", type: "String" }],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps: [
      { id: "first", type: "Prompt", prompt: "first" },
      { id: "second", type: "Prompt", prompt: "{% steps.first.output & ' ' & input.name %}" },
    ],
    edges: [{ source: "first", target: "second" }],
  },
};
/** Beginning of the ids in the fixture, and the time that it stands for. */
const prefix = "01a20231-bc59-746d";
const time = "1795224616025";
const Items = z.array(z.record(z.string(), z.unknown()));

describe("an execution that was stored before its record had input, result and lease", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testExecutions>;
  let asked: string[];
  let startTime: number;
  let ended: string;
  let open: string;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    asked = [];
    world = testExecutions(db, (prompt) => {
      asked.push(prompt);
      return prompt;
    });
    await world.deploy("a", asking);
    startTime = world.tenant.ctx.clock() - 60_000;
    ended = `${uuidAt(startTime, new Uint8Array(10)).slice(0, prefix.length)}-ada0-d18249721961`;
    open = `${uuidAt(startTime, new Uint8Array(10)).slice(0, prefix.length)}-ada0-d18249721962`;
  });

  /** Writes stored items. `leaseMs`: time until the end of the lease, negative for one that is over. */
  const restore = (items: unknown, leaseMs: number, more: Record<string, unknown> = {}) => {
    const text = JSON.stringify(items)
      .replaceAll("{tenant}", world.tenantId)
      .replaceAll(prefix, open.slice(0, prefix.length))
      .replaceAll(time, String(startTime))
      .replaceAll('"{lease}"', String(world.tenant.ctx.clock() + leaseMs));
    const [first, ...others] = Items.parse(JSON.parse(text));
    return Promise.all([{ ...first, ...more }, ...others].map((Item) => putItem(db, { Item })));
  };
  const send = () =>
    world.tenant.sent.push({
      type: "run-execution",
      tenantId: world.tenantId,
      agentId: "a",
      executionId: open,
    });
  const openOf = async () =>
    (await world.open()).filter(({ tenantId }) => tenantId === world.tenantId);

  test("is read with its input, output, metadata and trace, and listed", async () => {
    await restore(stored.ended, 0);
    const { item, input, output } = await world.read("a", ended);
    expect(item).toMatchObject({ status: "Succeeded", hasResult: true, hasTrace: true });
    expect(item).toMatchObject({ totalCost: 0.02, startTime });
    expect(input).toMatchObject({ input: { input: { name: "Ada" } }, metadata: { ticket: "7" } });
    expect(output).toMatchObject({ output: "two", error: null });
    const { spans } = await readTrace(world.deps, world.tenantId, "a", ended);
    expect(spans).toMatchObject([{ id: "first", output: 1 }]);
    expect(await world.list("a")).toMatchObject([
      { id: ended, inputTokens: 20, tenantId: world.tenantId },
    ]);
  });

  test("is run by the worker that receives its message, without repeating a finished step, and is counted once", async () => {
    await restore(stored.open, 60_000);
    send();
    send();
    await world.work();
    expect(asked).toEqual(["kept Ada"]);
    const { item, output } = await world.read("a", open);
    expect(item).toMatchObject({ status: "Succeeded", hasTrace: true, hasResult: true });
    expect(output?.output).toBe("kept Ada");
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 10 });
    expect(await openOf()).toEqual([]);
    expect(await getOldLease(db, open)).toBeUndefined();
  });

  test("is found by recovery when its message was lost or its run is dead", async () => {
    await restore(stored.open, -1, { owner: "dead" });
    expect(await world.recover()).toBe(1);
    await world.work();
    expect((await world.read("a", open)).item.status).toBe("Succeeded");
    expect(await openOf()).toEqual([]);
  });

  test("is not taken from a run of the earlier release that is alive", async () => {
    await restore(stored.open, 30_000, { owner: "alive" });
    send();
    expect(await world.recover()).toBe(0);
    await world.work();
    expect(asked).toEqual([]);
    expect(await getOldLease(db, open)).toMatchObject({ owner: "alive" });
  });

  test("is cancelled: a run of the earlier release learns of it, and a worker counts it once", async () => {
    await restore(stored.open, 30_000);
    await cancelExecution(world.deps, world.tenantId, "a", open);
    expect(await db.scan()).toContainEqual(
      expect.objectContaining({ pk: "OPEN#2", tenantId: world.tenantId, cancelled: true }),
    );
    send();
    await world.work();
    const { item } = await world.read("a", open);
    expect(item).toMatchObject({ status: "Cancelled", settled: true });
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 0 });
    expect(await openOf()).toEqual([]);
    await cancelOldLease(db, open);
    expect(await getOldLease(db, open)).toBeUndefined();
  });
});
