import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { transact } from "../../platform/db/transact.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import {
  type ApprovalItem,
  endApproval,
  getApproval,
  listApprovals,
  putApproval,
} from "../approvals/approval-store.ts";
import { listWaits, putWait } from "../checkpoints/wait-store.ts";
import type { EndInput } from "../job/job.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";
import { endWait } from "./end-wait.ts";
import { requestAfterMs } from "./open-waits.ts";

const approval = (more: object = {}) => ({
  id: "decide",
  type: "Approval",
  title: "May it?",
  timeoutSeconds: 3_600,
  ...more,
});
const decided = { id: "decided", type: "Output", value: "{% steps.decide.output.action %}" };
/** A flow of an approval next to a step that calls a model. */
const beside = (slow: object = ask("slow")) =>
  buildFlow([approval(), slow, decided], ["decide>decided", "slow>decided"]);

const waitUntil = <Found>(check: () => Found | Promise<Found>) =>
  vi.waitUntil(check, { timeout: 30_000 });

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
let world: ReturnType<typeof testWaiting>;
let model: ReturnType<typeof gate>;
beforeEach(() => {
  model = gate();
  world = testWaiting(db, async (prompt) => {
    if (prompt === "asked slow") await model.promise;
    return prompt;
  });
});

const approvals = () => Array.fromAsync(listApprovals(db, world.tenantId));
const statusesOfApprovals = async () => (await approvals()).map(({ status }) => status);
const decide = (item: ApprovalItem, action = "approve") => {
  const decidedAt = world.tenant.ctx.clock();
  const decision = { action, fields: {}, comment: null, decidedBy: "ada@example.com", decidedAt };
  const decisions = [{ ...decision, people: ["ada"], argumentsHash: null }];
  return endWait(world.deps, {
    tenantId: world.tenantId,
    root: item.root,
    executionId: item.executionId,
    path: item.path,
    answer: decision,
    writes: [endApproval(world.tenantId, item, { status: "Decided", decidedAt, decisions })],
  });
};
/** Starts an execution. Its model is asked, and does not respond yet. */
const start = async (agentId = "a") => {
  const ended = world.execute(agentId);
  ended.catch(() => undefined);
  await waitUntil(() => world.asked.includes("asked slow"));
  return { ended };
};
/** Passes the time after which an approval is requested; returns the pending ones. */
const requested = async (count = 1): Promise<ApprovalItem[]> => {
  world.timers.pass(requestAfterMs);
  return waitUntil(async () => {
    const found = await approvals();
    return found.length === count && found;
  });
};
const only = ([item]: ApprovalItem[]): ApprovalItem => {
  if (!item) throw new Error("there is no approval");
  return item;
};

/** Ends the model's call, and delivers what the run sent. */
const finish = async ({ ended }: { ended: Promise<unknown> }) => {
  model.resolve();
  const outcome = await ended.catch((error: unknown) => error);
  await world.deliver();
  return outcome;
};
const storeTenant = (more: object = {}) => {
  const { tenant, clock } = world.tenant.ctx;
  const times = { createdAt: clock(), modifiedAt: clock() };
  return putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times, ...more });
};

describe("an approval next to other work", () => {
  test("is requested while it runs, with its event and one wake-up, and the execution waits for it", {
    tags: "nightly",
  }, async () => {
    await storeTenant();
    await world.deploy("a", beside());
    const running = await start();
    const item = only(await requested());
    expect(await world.statuses("a")).toEqual(["Running"]);
    // It is kept for a month after its time: the wake-up may be late.
    expect(item.ttl).toBeGreaterThanOrEqual(item.expiresAt / 1_000 + 30 * 86_400);
    await finish(running);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    expect(await approvals()).toEqual([item]);
    expect(world.events).toMatchObject([{ id: `approval.requested:${item.id}` }]);
    expect(world.schedules.size).toBe(1);
    await decide(item);
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(world.asked).toEqual(["asked slow"]);
    expect(world.schedules.size).toBe(0);
  });

  test("is requested with the transaction that begins the wait where nothing else runs", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", buildFlow([approval(), decided], ["decide>decided"]));
    await world.execute("a");
    db.calls.length = 0;
    await world.execute("a");
    expect(db.calls.filter((call) => call === "TransactWriteItems")).toHaveLength(1);
  });

  test("that is decided while it runs continues with the decision, once", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", beside());
    const running = await start();
    const item = only(await requested());
    expect(await decide(item)).toBe("ended");
    expect(await decide(item, "reject")).toBe("answered");
    await finish(running);
    const [execution] = await world.list("a");
    expect(execution?.status).toBe("Succeeded");
    const { output } = await world.read("a", execution?.id ?? "");
    expect(output?.output).toBe("approve");
    expect(world.asked).toEqual(["asked slow"]);
    expect(await statusesOfApprovals()).toEqual(["Decided"]);
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 10 });
  });

  test("that is decided as the execution begins to wait continues with the decision, once", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", beside());
    const running = await start();
    const item = only(await requested());
    db.beforeNext("TransactWriteItems", () => decide(item));
    await finish(running);
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(world.asked).toEqual(["asked slow"]);
  });

  test("of a sub-agent that is decided while its caller runs continues both", {
    tags: "nightly",
  }, async () => {
    await world.deploy("child", buildFlow([approval(), decided], ["decide>decided"]));
    const child = { id: "child", type: "SubAgent", agentId: "child" };
    const both = { id: "both", type: "Output", value: "{% steps.child.output %}" };
    await world.deploy("a", buildFlow([child, ask("slow"), both], ["child>both", "slow>both"]));
    const running = await start();
    const item = only(await requested());
    expect(await world.statuses("child")).toEqual(["Waiting"]);
    expect(await decide(item)).toBe("ended");
    await finish(running);
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await world.statuses("child")).toEqual(["Succeeded"]);
    expect(world.asked).toEqual(["asked slow"]);
  });

  test("is cancelled when another step fails", { tags: "nightly" }, async () => {
    const bad = { id: "bad", type: "Transform", value: "{% $error('no') %}" };
    const steps = [approval(), ask("slow"), bad, decided];
    await world.deploy("a", buildFlow(steps, ["slow>bad", "bad>decided", "decide>decided"]));
    const running = await start();
    await requested();
    await finish(running);
    expect(await world.statuses("a")).toEqual(["Failed"]);
    expect(await statusesOfApprovals()).toEqual(["Cancelled"]);
  });

  test("is cancelled with its sub-agent although the request died after the end of its execution", {
    tags: "nightly",
  }, async () => {
    const bad = { id: "bad", type: "Transform", value: "{% $error('no') %}" };
    const call = { id: "call", type: "SubAgent", agentId: "child" };
    const steps = [approval(), ask("slow"), bad, call, decided];
    await world.deploy("child", buildFlow([approval()], []));
    await world.deploy("a", buildFlow(steps, ["slow>bad", "bad>decided", "decide>decided"]));
    const afterEnd = async ({ outcome: { item } }: EndInput) => {
      if (item.agentId === "a") throw new Error("the function died");
    };
    const endHooks = {
      ...world.deps.endHooks,
      afterEnd: (_deps: unknown, end: EndInput) => afterEnd(end),
    };
    const ended = world.execute("a", {}, undefined, { ...world.deps, endHooks });
    await waitUntil(() => world.asked.includes("asked slow"));
    await waitUntil(async () => (await approvals()).length > 0);
    await requested(2);
    model.resolve();
    expect(await ended).toMatchObject({ status: "accepted" });
    expect(await world.statuses("a")).toEqual(["Failed"]);
    expect(await world.statuses("child")).toEqual(["Waiting"]);
    expect(await statusesOfApprovals()).toEqual(["Pending", "Pending"]);
    await world.deliver();
    expect(await world.statuses("child")).toEqual(["Cancelled"]);
    expect(await statusesOfApprovals()).toEqual(["Cancelled", "Cancelled"]);
    expect((await world.list("child"))[0]).toMatchObject({ settled: true });
  });

  test("is cancelled with the execution", { tags: "nightly" }, async () => {
    await world.deploy("a", beside());
    const running = await start();
    const { executionId } = only(await requested());
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
    await finish(running);
    expect(await world.statuses("a")).toEqual(["Cancelled"]);
    expect(await statusesOfApprovals()).toEqual(["Cancelled"]);
  });

  test("is not requested for an execution that was cancelled in the meantime", {
    tags: "nightly",
  }, async () => {
    await storeTenant();
    await world.deploy("a", beside());
    const running = await start();
    const [execution] = await world.list("a");
    const key = { tenantId: world.tenantId, agentId: "a", executionId: execution?.id ?? "" };
    await cancelExecution(world.deps, key);
    db.calls.length = 0;
    world.timers.pass(requestAfterMs);
    await waitUntil(() => db.calls.includes("TransactWriteItems"));
    await finish(running);
    expect(await approvals()).toEqual([]);
    expect(world.events.filter(({ id }) => id.startsWith("approval."))).toEqual([]);
  });

  test("is kept when its run is continued by another one, and is not requested again", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", beside());
    const running = await start();
    const item = only(await requested());
    db.failNext("TransactWriteItems");
    await finish(running);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    expect(await approvals()).toEqual([item]);
    await decide(item);
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test("that would end after the expiry of its record fails its step and the execution immediately", async () => {
    await storeTenant({ retention: { executionDays: 3, traceDays: 1, deliveryDays: 1 } });
    const long = approval({ timeoutSeconds: 4 * 86_400 });
    await world.deploy("a", buildFlow([long, ask("slow"), decided], ["decide>decided"]));
    const running = await start();
    world.timers.pass(requestAfterMs);
    await expect(running.ended).rejects.toMatchObject({
      slug: "execution-failed",
      members: { step: "decide" },
    });
    model.resolve();
    expect(await approvals()).toEqual([]);
  });
});

test("an approval that no step waits for any more is cancelled when its execution waits", {
  tags: "nightly",
}, async () => {
  const second = approval({ id: "second", title: "And this?" });
  await world.deploy("a", buildFlow([approval(), second], ["decide>second"]));
  await world.execute("a");
  const item = only(await approvals());
  await decide(item);
  const gone = { ...item, id: item.id.replace(/.$/, (last) => (last === "0" ? "1" : "0")) };
  const { tenantId } = world;
  const { executionId, createdAt: since, expiresAt: until, ttl } = item;
  const wait = { kind: "Approval" as const, path: "gone", since, until, approvalId: gone.id };
  await transact(db, [
    putWait({ tenantId, executionId }, wait, ttl),
    putApproval(tenantId, { ...gone, path: "gone" }),
  ]);
  await world.deliver();
  expect(await getApproval(db, tenantId, gone.id)).toMatchObject({ status: "Cancelled" });
  expect((await listWaits(db, { tenantId, executionId })).map(({ path }) => path)).not.toContain(
    "gone",
  );
  expect((await statusesOfApprovals()).toSorted()).toEqual(["Cancelled", "Decided", "Pending"]);
});
