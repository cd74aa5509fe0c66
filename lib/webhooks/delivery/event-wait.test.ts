import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dispatchDelivery as dispatchRow } from "../../../functions/workers/messages.ts";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { testEventWaits } from "../../../test/harness/event-waits.ts";
import { isNightly } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow } from "../../../test/harness/waiting.ts";
import { createAgent } from "../../agents/agent/create-agent.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { PurgeAgentMessage } from "../../agents/messages.ts";
import { CreateRevisionBody } from "../../agents/revision/content.ts";
import { createRevision } from "../../agents/revision/create-revision.ts";
import { cancelExecution } from "../../executions/recover/cancel-execution.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { MatchWaitsMessage, PurgeWebhookMessage } from "../messages.ts";
import { deleteWebhook } from "../webhook/delete-webhook.ts";
import { changeWebhook } from "../webhook/store.ts";
import { settleSeconds } from "./match-waits.ts";

const minute = 60_000;
const out = { id: "out", type: "Output", value: "{% steps.paid.output %}" };

describe("an execution that waits for an event", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  let world: Awaited<ReturnType<typeof testEventWaits>>;
  beforeEach(async () => {
    world = await testEventWaits(db);
  });

  const paid = (event: object = {}, more: object = {}) => ({
    id: "paid",
    type: "Wait",
    event: { webhookId: world.webhook.id, ...event },
    ...more,
  });
  const awaiting = (event: object = {}, more: object = {}) =>
    buildFlow([ask("before"), paid(event, more), out], ["before>paid", "paid>out"], {
      parametersMetadata: [
        { name: "order", type: "Json" },
        { name: "token", type: "String", secret: true },
      ],
    });
  const output = async (executionId: string) => (await world.read("a", executionId)).output?.output;
  /** Keys of registered waits, and the mark that a dispatch reads. */
  const stored = async () => {
    const of = `TENANT#${world.tenantId}#WEBHOOK#${world.webhook.id}`;
    const keys = (await db.scan()).map(({ pk, sk }) => `${pk} ${sk}`);
    return {
      waits: keys.filter((key) => key.startsWith(`${of}#WAITS `)),
      isMarked: keys.includes(`${of} SUBWAITS`),
    };
  };

  test("continues with the event, and its registration is removed", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", awaiting());
    const { execution } = await world.execute("a");
    expect(execution.status).toBe("Waiting");
    await world.after(2_000);
    expect((await stored()).waits).toHaveLength(1);
    const receivedAt = world.tenant.ctx.clock();
    await world.receive({ eventType: "paid", payload: { n: [1] }, deliveryId: "d-1" });
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    const expected = { deliveryId: "d-1", eventType: "paid", payload: { n: [1] }, receivedAt };
    expect(await output(execution.executionId)).toEqual(expected);
    expect((await stored()).waits).toEqual([]);
    await world.after(5 * 86_400_000);
    expect(world.asked).toEqual(["asked before"]);
  });

  test("names a webhook of its tenant, which whoever creates the revision may read", async () => {
    const other = await testEventWaits(db);
    const { ctx, deps } = world.tenant;
    const create = (webhookId: string, scopes = ctx.principal.scopes) => {
      const forEach = { id: "all", type: "ForEach", items: [1], step: paid({ webhookId }) };
      return createRevision(deps, {
        ctx: { ...ctx, principal: { ...ctx.principal, scopes } },
        agentId: "a",
        content: CreateRevisionBody.parse({ flow: buildFlow([paid(), forEach], []).flow }),
      });
    };
    await createAgent(deps, { ctx, body: { id: "a", displayName: "A" } });
    const pointer = "/flow/steps/1/step/event/webhookId";
    const detail = `there is no webhook "${other.webhook.id}"`;
    await expect(create(other.webhook.id)).rejects.toMatchObject({
      members: { errors: [{ pointer, detail }] },
    });
    const scopes = ctx.principal.scopes.filter((scope) => scope !== "integrations:read");
    const slug = "insufficient-scope";
    await expect(create(world.webhook.id, scopes)).rejects.toMatchObject({ slug });
    expect((await create(world.webhook.id)).agentRevision).toBe(1);
  });

  test("finds the earliest event that came before its step and matches", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", awaiting({ match: "payload.n > 1", lookbackSeconds: 60 }));
    for (const n of [5, 1, 2, 3]) {
      await world.receive({ payload: { n }, deliveryId: `d-${n}` });
      await world.after(n === 5 ? 61_000 : 1_000);
    }
    const { executionId } = (await world.execute("a")).execution;
    await world.after(2_000);
    expect(await output(executionId)).toMatchObject({ payload: { n: 2 }, deliveryId: "d-2" });
  });

  test("takes the earlier event also when a later one is dispatched before the lookback", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", awaiting({ match: "payload.n > 1" }));
    await world.deploy("other", awaiting({ match: "payload.n = 0" }));
    await world.execute("other");
    await world.after(2_000);
    for (const n of [2, 3]) {
      await world.receive({ payload: { n }, deliveryId: `d-${n}` });
      await world.after(1_000);
    }
    const { executionId } = (await world.execute("a")).execution;
    await world.receive({ payload: { n: 4 }, deliveryId: "d-4" });
    expect(await output(executionId)).toMatchObject({ deliveryId: "d-2" });
  });

  test("takes the event of its dispatch in its first minute, and no later one", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", awaiting({ match: "payload.n > 1" }));
    const { executionId } = (await world.execute("a")).execution;
    await world.after(2_000);
    for (const n of [1, 2]) {
      await world.dispatch(world.accept({ payload: { n }, deliveryId: `d-${n}` }));
      world.tenant.advance(1_000);
    }
    await world.dispatch(world.accept({ payload: { n: 3 }, deliveryId: "d-3" }));
    await world.settle();
    expect(await output(executionId)).toMatchObject({ deliveryId: "d-2" });
  });

  test("finds no event that came before the lookback, nor one of another type", async () => {
    await world.deploy("a", awaiting({ lookbackSeconds: 0, eventTypes: ["paid"] }));
    await world.receive({ eventType: "paid" });
    await world.after(1);
    await world.execute("a");
    await world.after(2 * minute);
    await world.receive({ eventType: "ping" });
    await world.receive({ eventType: null });
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await world.receive({ eventType: "paid" });
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test("finds an event that was accepted before, and is dispatched after it began to wait", async () => {
    await world.deploy("a", awaiting());
    const message = world.accept();
    await world.after(1_000);
    await world.execute("a");
    await world.after(2 * minute);
    await world.dispatch(message);
    await world.settle();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test("finds an event that was dispatched without the mark and stored after the lookback", async () => {
    await world.deploy("a", awaiting());
    const message = world.accept();
    // The dispatch has read the subscriptions, and not stored the delivery.
    db.beforeNext("PutItem", async () => {
      await world.execute("a");
      await world.after(3_000);
      expect(await world.statuses("a")).toEqual(["Waiting"]);
    });
    await world.dispatch(message);
    await world.after(1_000);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await world.after(minute);
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(settleSeconds).toBeGreaterThanOrEqual(3 * dispatchRow.timeoutSeconds);
  });

  test("matches by its inputs and the outputs of its steps, and in a ForEach by the item", {
    tags: "nightly",
  }, async () => {
    const match =
      "payload.order = input.order.id and payload.item = item and headers.`x-source` = 'test'";
    const forEach = { id: "all", type: "ForEach", items: [1, 2], step: paid({ match }) };
    await world.deploy("child", {
      ...buildFlow([forEach], []),
      parametersMetadata: [{ name: "order", type: "Json" }],
    });
    const input = { order: { id: "{% steps.number.output %}" } };
    const steps = [
      { id: "number", type: "Transform", value: 7 },
      { id: "call", type: "SubAgent", agentId: "child", input },
      paid({ match: "payload.last = steps.number.output" }),
    ];
    await world.deploy("a", buildFlow(steps, ["number>call", "call>paid"]));
    const { executionId } = (await world.execute("a")).execution;
    await world.after(2_000);
    for (const item of [3, 2, 1]) {
      expect(await world.statuses("child")).toEqual(["Waiting"]);
      await world.receive({ payload: { order: 7, item } });
    }
    expect(await world.statuses("child")).toEqual(["Succeeded"]);
    await world.receive({ payload: { last: 7 } });
    expect(await output(executionId)).toMatchObject({ payload: { last: 7 } });
  });

  test("is not ended by a match that fails or takes too long, which stops no other wait", {
    tags: "nightly",
  }, async () => {
    const forever = "($f := function($n) { $f($n + 1) }; $f(0))";
    await world.deploy("a", awaiting({ match: "$error('no')" }));
    await world.deploy("b", awaiting({ match: forever }));
    await world.deploy("c", awaiting({ match: "payload.ok" }));
    for (const id of ["a", "b", "c"]) await world.execute(id);
    await world.after(2_000);
    await world.receive({ payload: { ok: true } });
    const statuses = await Promise.all(["a", "b", "c"].map(world.statuses));
    expect(statuses).toEqual([["Waiting"], ["Waiting"], ["Succeeded"]]);
  });

  test.runIf(isNightly)(
    "continues in another message after five seconds of processor time",
    async () => {
      const forever = "($f := function($n) { $f($n + 1) }; $f(0))";
      const ids = Array.from({ length: 7 }, (_, at) => `a${at}`);
      for (const id of ids) {
        await world.deploy(id, awaiting({ match: id === "a6" ? "payload.ok" : forever }));
        await world.execute(id);
        world.tenant.advance(10);
      }
      await world.after(2_000);
      await world.after(2 * minute);
      await world.dispatch(world.accept({ payload: { ok: true } }));
      await world.handle(world.queued.shift()?.message);
      expect(world.queued.map(({ message }) => message)).toEqual([
        expect.objectContaining({ type: "match-waits", from: expect.anything() }),
      ]);
      await world.settle();
      expect(await world.statuses("a6")).toEqual(["Succeeded"]);
    },
  );

  test("costs a delivery that nothing waits for no call, and begins in one transaction", async () => {
    const count = async () => {
      db.calls.length = 0;
      await world.dispatch(world.accept());
      return db.calls.toSorted();
    };
    const before = await count();
    await world.deploy("a", awaiting());
    db.calls.length = 0;
    await world.execute("a");
    expect(db.calls.filter((call) => call === "TransactWriteItems")).toHaveLength(1);
    await world.after(2_000);
    await world.receive();
    await world.receive();
    expect(await count()).toEqual(before);
    expect(JSON.stringify(world.queued)).not.toContain("match-waits");
  });

  test("keeps the mark when the last part of the waits is empty, and is not matched when their time is used up", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", awaiting({ match: "payload.ok" }));
    await world.execute("a");
    await world.after(2 * minute);
    await world.dispatch(world.accept({ payload: { ok: true } }));
    const { message } = world.queued.pop() ?? {};
    const part = MatchWaitsMessage.parse(message);
    const from = { executionId: "ffffffff-ffff-7fff-bfff-ffffffffffff", path: "paid" };
    await world.handle({ ...part, from });
    expect((await stored()).isMarked).toBe(true);
    await world.handle({ ...part, usedMs: processorLimits.eventMs });
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await world.handle(part);
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test("stores no secret, and its match sees it masked", async () => {
    await world.deploy("a", awaiting({ match: "payload.token = input.token" }));
    await world.execute("a", { input: { token: "secret-of-the-input" } });
    await world.after(2_000);
    const { waits } = await stored();
    expect(waits).toHaveLength(1);
    const items = (await db.scan()).filter(({ pk }) => String(pk).endsWith("#WAITS"));
    expect(JSON.stringify(items)).not.toContain("secret-of-the-input");
  });

  test("fails when its match reads too much", { tags: "nightly" }, async () => {
    await world.deploy("a", awaiting({ match: "payload.x in input.order" }));
    await world.execute("a", { input: { order: "x".repeat(20_000) } }).catch(() => undefined);
    expect(await world.statuses("a")).toEqual(["Failed"]);
  });

  test("fails, or continues with null, when no event came in time", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", awaiting({}, { timeoutSeconds: 3_600 }));
    await world.deploy("b", awaiting({}, { timeoutSeconds: 3_600, onTimeout: "continue" }));
    await world.execute("a");
    await world.execute("b");
    await world.after(2_000);
    await world.after(61 * minute);
    expect(await world.statuses("a")).toEqual(["Failed"]);
    expect(await world.statuses("b")).toEqual(["Succeeded"]);
    expect((await stored()).waits).toEqual([]);
    // The next reader removes the mark.
    expect((await stored()).isMarked).toBe(true);
    await world.receive();
    expect((await stored()).isMarked).toBe(false);
  });

  test("is not ended by a delivery of a paused webhook, nor by a duplicate", async () => {
    await world.deploy("a", awaiting({ lookbackSeconds: 0 }));
    await world.receive({ deliveryId: "d-1" });
    await world.after(1_000);
    await world.execute("a");
    await world.after(2 * minute);
    await world.receive({ deliveryId: "d-1" });
    const accepted = world.accept();
    const ref = { tenantId: world.tenantId, webhookId: world.webhook.id };
    const change = { status: "DISABLED" as const, modifiedAt: world.tenant.ctx.clock() };
    await changeWebhook(db, ref, change);
    await world.dispatch(accepted);
    await world.settle();
    expect(await world.statuses("a")).toEqual(["Waiting"]);
  });

  test("waits until its time when the webhook is deleted", { tags: "nightly" }, async () => {
    await world.deploy("a", awaiting({}, { timeoutSeconds: 3_600, onTimeout: "continue" }));
    await world.execute("a");
    await world.after(2_000);
    const { deps, ctx, sent } = world.tenant;
    const ref = { tenantId: world.tenantId, webhookId: world.webhook.id };
    await deleteWebhook({ ...deps, clock: ctx.clock }, ref);
    sent.splice(0);
    const message = PurgeWebhookMessage.parse({ type: "purge-webhook", ...ref });
    await purge(message, { ...deps, clock: ctx.clock, until: ctx.clock() + minute });
    expect(await stored()).toEqual({ waits: [], isMarked: false });
    await world.after(2 * minute);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await world.after(60 * minute);
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await stored()).toEqual({ waits: [], isMarked: false });
  });

  test("cancelled, or of a deleted agent, leaves no registration", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", awaiting());
    await world.deploy("b", awaiting());
    const { executionId } = (await world.execute("a")).execution;
    await world.execute("b");
    await world.after(2_000);
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
    await world.settle();
    expect((await stored()).waits).toHaveLength(1);
    const { deps, ctx, sent } = world.tenant;
    await deleteAgent(deps, { tenantId: world.tenantId, agentId: "b" });
    const message = sent.find((one) => PurgeAgentMessage.safeParse(one).success);
    sent.splice(0);
    const until = ctx.clock() + minute;
    await purge(PurgeAgentMessage.parse(message), { ...deps, clock: ctx.clock, until });
    expect((await stored()).waits).toEqual([]);
  });
});
