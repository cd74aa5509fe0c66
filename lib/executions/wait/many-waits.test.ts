import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { type ApprovalItem, endApproval, listApprovals } from "../approvals/approval-store.ts";
import { endWait } from "./end-wait.ts";
import { requestAfterMs } from "./open-waits.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const approval = { id: "decide", type: "Approval", title: "Item {% item %}" };
const forEach = (count: number, more: object = {}) => ({
  id: "each",
  type: "ForEach",
  items: numbers(count),
  step: approval,
  ...more,
});

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
let world: ReturnType<typeof testWaiting>;
beforeEach(() => {
  world = testWaiting(db);
});

const pending = async () => {
  const items = await Array.fromAsync(listApprovals(db, world.tenantId));
  return items.filter(({ status }) => status === "Pending").toReversed();
};
const titles = async () => (await pending()).map(({ title }) => Number(title.slice(5)));
const decide = (item: ApprovalItem) => {
  const decidedAt = world.tenant.ctx.clock();
  return endWait(world.deps, {
    tenantId: world.tenantId,
    root: item.root,
    executionId: item.executionId,
    path: item.path,
    answer: { action: "approve", fields: {}, comment: null, decidedBy: "ada", decidedAt },
    writes: [endApproval(world.tenantId, item, { status: "Decided", decidedAt })],
  });
};

describe("an execution with many waits", () => {
  test.each([
    [100, 100],
    [101, 100],
  ])(
    "of %i has %i open ones, and the others when these have ended",
    { tags: "nightly" },
    async (count, open) => {
      await world.deploy("a", buildFlow([forEach(count)], []));
      expect((await world.execute("a")).execution.status).toBe("Waiting");
      expect((await titles()).toSorted((a, b) => a - b)).toEqual(numbers(open));
      const [first] = await pending();
      if (first) await decide(first);
      await world.deliver();
      const rest = (await titles()).toSorted((a, b) => a - b);
      expect(rest).toEqual(numbers(count).filter((number) => `Item ${number}` !== first?.title));
      expect(await world.statuses("a")).toEqual(["Waiting"]);
    },
  );

  test("ends after a ForEach with one approval for every one of 250 items", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", buildFlow([forEach(250)], []));
    const { executionId } = (await world.execute("a")).execution;
    const asked: string[] = [];
    for (let batch = await pending(); batch.length > 0; batch = await pending()) {
      expect(batch.length).toBeLessThanOrEqual(100);
      asked.push(...batch.map(({ title }) => title));
      for (const item of batch) await decide(item);
      await world.deliver();
    }
    expect(asked).toHaveLength(250);
    expect(new Set(asked).size).toBe(250);
    const { item, output } = await world.read("a", executionId);
    expect(item.status).toBe("Succeeded");
    expect(output?.output).toHaveLength(250);
  });

  test("has 100 open ones in parallel steps, too", { tags: "nightly" }, async () => {
    const steps = numbers(101).map((at) => ({ ...approval, id: `s${at}`, title: `Item ${at}` }));
    await world.deploy("a", buildFlow(steps, []));
    await world.execute("a");
    expect(await titles()).toHaveLength(100);
    for (const item of await pending()) await decide(item);
    await world.deliver();
    expect(await titles()).toHaveLength(1);
    for (const item of await pending()) await decide(item);
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test("of a ForEach with one item at a time requests all while another step still runs", {
    tags: "nightly",
  }, async () => {
    const slow = gate();
    world = testWaiting(db, async (prompt) => {
      await slow.promise;
      return prompt;
    });
    await world.deploy("a", buildFlow([forEach(60), ask("slow")], []));
    const running = world.execute("a");
    await vi.waitUntil(() => world.asked.length === 1, { timeout: 30_000 });
    world.timers.pass(requestAfterMs);
    await vi.waitUntil(async () => (await pending()).length === 60, { timeout: 30_000 });
    slow.resolve();
    expect((await running).execution.status).toBe("Waiting");
    expect(await titles()).toHaveLength(60);
  });
});

test("an execution with a decided approval ends with at most four storage calls", async () => {
  const out = { id: "out", type: "Output", value: "{% steps.decide.output.action %}" };
  const title = "May it?";
  await world.deploy("a", buildFlow([{ ...approval, title }, out], ["decide>out"]));
  const { tenant, clock } = world.tenant.ctx;
  const times = { createdAt: clock(), modifiedAt: clock() };
  await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times });
  let calls: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    await world.execute("a");
    for (const item of await pending()) await decide(item);
    db.calls.length = 0;
    await world.deliver();
    calls = [...db.calls];
  }
  expect(await world.statuses("a")).toEqual(["Succeeded", "Succeeded"]);
  expect(calls).toEqual(["UpdateItem", "BatchGetItem", "Query", "TransactWriteItems"]);
});
