import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge as purgeDeleted } from "../../../functions/workers/purge-deleted.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { PurgeAgentMessage } from "../../agents/messages.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import {
  type ApprovalItem,
  addDecision,
  endApproval,
  listApprovals,
} from "../approvals/approval-store.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";
import { endWait } from "./end-wait.ts";

const approval = (more: object = {}) => ({
  id: "decide",
  type: "Approval",
  title: "Refund {% input.amount %}",
  data: { order: 7 },
  timeoutSeconds: 3_600,
  ...more,
});
const asking = (more: object = {}) =>
  buildFlow([ask("before"), approval(more), ask("after")], ["before>decide", "decide>after"], {
    parametersMetadata: [{ name: "amount", type: "Integer" }],
  });

describe("an execution with an approval", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  let world: ReturnType<typeof testWaiting>;
  beforeEach(() => {
    world = testWaiting(db);
  });

  const approvals = () => Array.fromAsync(listApprovals(db, world.tenantId));
  const only = async (): Promise<ApprovalItem> => {
    const [item] = await approvals();
    if (!item) throw new Error("there is no approval");
    return item;
  };
  const decide = (item: ApprovalItem, action: string) => {
    const decidedAt = world.tenant.ctx.clock();
    const decision = { action, fields: {}, comment: null, decidedBy: "ada@example.com", decidedAt };
    const person = { people: ["ada"], argumentsHash: null };
    return endWait(world.deps, {
      tenantId: world.tenantId,
      root: item.root,
      executionId: item.executionId,
      path: item.path,
      answer: decision,
      writes: [
        endApproval(world.tenantId, item, {
          status: "Decided",
          decidedAt,
          decisions: [{ ...decision, ...person }],
        }),
      ],
    });
  };

  test("waits with a pending approval, and continues with the decision", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", asking());
    const { execution } = await world.execute("a", { input: { amount: 12 } });
    expect(execution.status).toBe("Waiting");
    const item = await only();
    expect(item).toMatchObject({
      status: "Pending",
      title: "Refund 12",
      data: { order: 7 },
      executionId: execution.executionId,
      stepId: "decide",
      actions: [
        { id: "approve", label: "Approve" },
        { id: "reject", label: "Reject" },
      ],
    });
    expect(await decide(item, "approve")).toBe("ended");
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(world.asked).toEqual(["asked before", "asked after"]);
    expect(await only()).toMatchObject({ status: "Decided" });
    await world.dueAfter(3_700_000);
    expect(await only()).toMatchObject({ status: "Decided" });
  });

  test("is announced when it is requested, and when its time is over", {
    tags: "nightly",
  }, async () => {
    const { tenant, clock } = world.tenant.ctx;
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times });
    await world.deploy("a", asking());
    await world.execute("a", { input: { amount: 12 } });
    await world.dueAfter(3_700_000);
    const { id } = await only();
    expect(world.events).toMatchObject([
      {
        id: `approval.requested:${id}`,
        agentId: "a",
        data: { title: "Refund 12", stepId: "decide" },
      },
      { id: `approval.timed_out:${id}`, agentId: "a", data: { status: "TimedOut" } },
      { type: "agent.execution.failed" },
    ]);
  });

  test("is decided once: one of a decision and its time wins", async () => {
    await world.deploy("a", asking());
    await world.execute("a");
    const item = await only();
    await world.deliver();
    const outcomes = await Promise.all([decide(item, "approve"), decide(item, "reject")]);
    expect(outcomes.toSorted()).toEqual(["answered", "ended"]);
  });

  test("times out though a person of several chooses at the same moment", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", asking({ minApprovals: 2 }));
    await world.execute("a");
    const item = await only();
    const decision = { action: "approve", fields: {}, comment: null, decidedBy: "ada@example.com" };
    const vote = { ...decision, decidedAt: 1, people: ["ada"], argumentsHash: null };
    db.beforeNext("TransactWriteItems", () => addDecision(db, world.tenantId, item, vote));
    await world.dueAfter(3_600_000);
    expect(await only()).toMatchObject({ status: "TimedOut", decisions: [decision] });
    expect(await world.statuses("a")).toEqual(["Failed"]);
  });

  test("not decided in time fails, or continues with the action for that case", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", asking());
    await world.deploy("b", asking({ onTimeout: "approve" }));
    await world.execute("a");
    await world.execute("b");
    await world.dueAfter(3_599_000);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await world.dueAfter(62_000);
    expect(await world.statuses("a")).toEqual(["Failed"]);
    expect(await world.statuses("b")).toEqual(["Succeeded"]);
    const statuses = (await approvals()).map(({ status }) => status);
    expect(statuses).toEqual(["TimedOut", "TimedOut"]);
    expect(await decide(await only(), "approve")).toBe("answered");
  });

  test("fails when it is rejected, and names who rejected it", async () => {
    await world.deploy("a", asking());
    const { executionId } = (await world.execute("a")).execution;
    await decide(await only(), "reject");
    await world.deliver();
    const { item, output } = await world.read("a", executionId);
    expect(item.status).toBe("Failed");
    expect(output?.error?.detail).toContain("Rejected by ada@example.com.");
  });

  test("continues with the target of the action alone", async () => {
    const actions = [
      { id: "yes", target: "pay" },
      { id: "no", label: "Refuse", target: "refuse" },
    ];
    await world.deploy(
      "a",
      buildFlow(
        [approval({ title: "Pay?", actions }), ask("pay"), ask("refuse")],
        ["decide>pay", "decide>refuse"],
      ),
    );
    await world.execute("a");
    await decide(await only(), "no");
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(world.asked).toEqual(["asked refuse"]);
  });

  test("cancelled cancels its approval, which cannot be decided any more", async () => {
    await world.deploy("a", asking());
    const { executionId } = (await world.execute("a")).execution;
    const item = await only();
    const key = { tenantId: world.tenantId, agentId: "a", executionId };
    await cancelExecution(world.deps, key);
    expect(await decide(item, "approve")).not.toBe("ended");
    await world.deliver();
    expect(await only()).toMatchObject({ status: "Cancelled" });
    expect(await world.statuses("a")).toEqual(["Cancelled"]);
  });

  test("of a deleted agent is cancelled", { tags: "nightly" }, async () => {
    await world.deploy("a", asking());
    await world.execute("a");
    const item = await only();
    await deleteAgent(world.tenant.deps, { tenantId: world.tenantId, agentId: "a" });
    const until = world.tenant.ctx.clock() + 10_000;
    const { deps, ctx, sent } = world.tenant;
    const isPurge = (message: unknown) => PurgeAgentMessage.safeParse(message).success;
    const purge = PurgeAgentMessage.parse(sent.find(isPurge));
    sent.splice(0);
    await purgeDeleted(purge, { ...deps, clock: ctx.clock, until });
    expect(await only()).toMatchObject({ id: item.id, status: "Cancelled" });
    expect(await decide(item, "approve")).not.toBe("ended");
  });

  test("that was decided does not continue with an agent that was deleted since", async () => {
    await world.deploy("a", asking());
    await world.execute("a");
    await decide(await only(), "approve");
    await deleteAgent(world.tenant.deps, { tenantId: world.tenantId, agentId: "a" });
    const isPurge = (message: unknown) => PurgeAgentMessage.safeParse(message).success;
    const sent = world.tenant.sent.splice(0);
    world.tenant.sent.push(...sent.filter((message) => !isPurge(message)));
    await world.deliver();
    expect(world.asked).toEqual(["asked before"]);
  });

  test("of a sub-agent or an item is decided separately from the others", {
    tags: "nightly",
  }, async () => {
    const forEach = {
      id: "all",
      type: "ForEach",
      items: [1, 2, 3],
      step: approval({ title: "Item {% item %}" }),
    };
    await world.deploy("child", buildFlow([forEach], []));
    await world.deploy("a", buildFlow([{ id: "one", type: "SubAgent", agentId: "child" }], []));
    await world.execute("a");
    const items = await approvals();
    expect(items.map(({ title }) => title).toSorted()).toEqual(["Item 1", "Item 2", "Item 3"]);
    for (const item of items) {
      expect(await world.statuses("a")).toEqual(["Waiting"]);
      expect(await decide(item, "approve")).toBe("ended");
      await world.deliver();
    }
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await world.statuses("child")).toEqual(["Succeeded"]);
  });

  test("of many is never stored without its event, when a write of them fails", async () => {
    const { tenant, clock } = world.tenant.ctx;
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times });
    const items = Array.from({ length: 60 }, (_, at) => at);
    const forEach = {
      id: "all",
      type: "ForEach",
      items,
      step: approval({ title: "Item {% item %}" }),
    };
    await world.deploy("a", buildFlow([forEach], []));
    db.failNext("TransactWriteItems", 12);
    await world.execute("a").catch(() => undefined);
    const stored = JSON.stringify(await db.scan());
    const requested = await approvals();
    expect(requested.length).toBeGreaterThan(0);
    expect(requested.filter(({ id }) => !stored.includes(`"approval.requested:${id}"`))).toEqual(
      [],
    );
  });

  test("waits a year with one schedule, and four items under 4,000 bytes", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", asking({ timeoutSeconds: 31_000_000 }));
    const scan = async () =>
      (await db.scan()).filter(({ pk }) => String(pk).includes(world.tenantId));
    const known = (await scan()).map(({ pk, sk }) => `${pk} ${sk}`);
    await world.execute("a", { input: { amount: 12 } });
    await world.deliver();
    const added = (await scan()).filter(({ pk, sk }) => !known.includes(`${pk} ${sk}`));
    const overhead = 100;
    const size = added.reduce((sum, item) => sum + JSON.stringify(item).length + overhead, 0);
    expect(added).toHaveLength(4);
    expect(size).toBeLessThan(4_000);
    expect(world.schedules.size).toBe(1);
  });
});
