import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { dispatchAlone } from "../../../test/harness/deliveries.ts";
import { testExecutions } from "../../../test/harness/execution.ts";
import { runByWorkers } from "../../../test/harness/run-by-workers.ts";
import { isNightly } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { toSessionPlace } from "../../executions/session/keys.ts";
import { getSession } from "../../executions/session/session-store.ts";
import { createAsset } from "../../knowledge/asset/create-asset.ts";
import { listAssets } from "../../knowledge/asset/store.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Headers } from "../../platform/http/request.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import {
  DispatchDeliveryMessage,
  NotifySubscriberMessage,
  NotifySubscribersMessage,
} from "../messages.ts";
import { createSubscription } from "../webhook/create-subscription.ts";
import { createWebhook } from "../webhook/create-webhook.ts";
import { deleteWebhook } from "../webhook/delete-webhook.ts";
import { CreateSubscriptionBody } from "../webhook/schemas.ts";
import { listSubscriptions } from "../webhook/store.ts";
import { acceptDelivery } from "./accept-delivery.ts";
import { loadOutcomes } from "./load-outcomes.ts";
import { notifySubscriber } from "./notify-subscriber.ts";
import { notifySubscribers } from "./notify-subscribers.ts";
import type { DispatchDeps } from "./received-delivery.ts";
import { listDeliveryRuns } from "./result-store.ts";
import { getDelivery, listDeliveries } from "./store.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const out = { id: "out", type: "Output", value: "{% input.event.payload.n %}" };
const parametersMetadata = [{ name: "event", type: "Json" }];
const agent = { parametersMetadata, flow: { steps: [out], edges: [] } };
/** The same agent, run by workers. */
const queued = { parametersMetadata, ...runByWorkers(out) };

describe("the way of a delivery", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  const listTenantAssets = async (tenantId: TenantId) =>
    (await listAssets(db, tenantId, { size: 200, skip: 0 })).items;

  const start = async (subscribers = 1, content: object = agent) => {
    const world = testExecutions(db);
    const { ctx, deps: storage } = world.tenant;
    const now = ctx.clock();
    await putNewTenant(db, {
      ...ctx.tenant,
      slug: ctx.tenant.id,
      displayName: "Test",
      createdAt: now,
      modifiedAt: now,
    });
    await world.deploy("a", content);
    const webhook = await createWebhook(storage, {
      ctx: { ...ctx, baseUrl: "http://localhost" },
      body: { provider: "github" },
    });
    const subscribe = (more: object = {}) =>
      createSubscription(storage, {
        ctx,
        webhookId: webhook.id,
        body: CreateSubscriptionBody.parse({
          subscriberType: "Agent",
          subscriberId: "a",
          ...more,
        }),
      });
    for (let count = 0; count < subscribers; count += 1) await subscribe();

    const queues: Record<"deliveries" | "subscribers" | "executions" | "syncs", unknown[]> = {
      deliveries: [],
      syncs: [],
      subscribers: [],
      executions: [],
    };
    const send = async (queue: string, _tenant: string, message: unknown) => {
      if (queue === "deliveries") queues.deliveries.push(message);
      if (queue === "executions") queues.executions.push(message);
      if (queue === "syncs") queues.syncs.push(message);
    };
    const sendMany = async (_queue: string, _tenant: string, messages: readonly unknown[]) => {
      queues.subscribers.push(...messages);
    };
    const deps = { ...world.deps, send, sendMany };
    const accept = (delivery: string) => {
      const body = Buffer.from(JSON.stringify({ n: 7, delivery }));
      const signature = createHmac("sha256", webhook.signingSecret ?? "")
        .update(body)
        .digest("hex");
      const headers: Headers = new Map([
        ["content-type", ["application/json"]],
        ["x-github-event", ["push"]],
        ["x-github-delivery", [delivery]],
        ["x-hub-signature-256", [`sha256=${signature}`]],
        ["authorization", ["Bearer secret-of-the-sender"]],
        ["traceparent", [`00-${traceId}-00f067aa0ba902b7-01`]],
      ]);
      const limits = { requests: 1_000, unauthenticatedRequests: 1_000, windowSeconds: 60 };
      return acceptDelivery(
        {
          db,
          objects: storage.objects,
          sealer: storage.sealer,
          send,
          prefixes: { prefix: "wharf", earlierPrefixes: [] },
          limits,
        },
        {
          tenant: ctx.tenant,
          provider: "github",
          id: webhook.id,
          hasKey: false,
          request: { method: "POST", headers, query: {}, body },
          countUnknown: async () => undefined,
          runtime: ctx,
        },
      );
    };
    const attempts = new Map<unknown, number>();
    /** Counts an attempt at a message. */
    const attemptAt = (message: unknown): number => {
      const attempt = (attempts.get(message) ?? 0) + 1;
      attempts.set(message, attempt);
      return attempt;
    };
    const dispatch = (message: unknown, withDeps: Partial<DispatchDeps> = {}) =>
      dispatchAlone(
        { ...deps, ...withDeps },
        { message: DispatchDeliveryMessage.parse(message), attempt: attemptAt(message) },
      );
    const notify = (message: unknown, withDeps: Partial<DispatchDeps> = {}) => {
      const parsed = z
        .discriminatedUnion("type", [NotifySubscriberMessage, NotifySubscribersMessage])
        .parse(message);
      const all = { ...deps, ...withDeps };
      return parsed.type === "notify-subscriber"
        ? notifySubscriber(all, { message: parsed, attempt: attemptAt(message) })
        : notifySubscribers(all, {
            message: parsed,
            attempt: attemptAt(message),
            deadline: ctx.clock() + 60_000,
          });
    };
    /** Handles queued messages; a failed message stays, and is delivered a further time. */
    const drain = async (): Promise<void> => {
      for (let left = 100; left > 0; left -= 1) {
        const delivery = queues.deliveries.shift();
        const notification = queues.subscribers.shift();
        const message = world.tenant.sent.shift() ?? queues.executions.shift();
        if (!delivery && !notification && !message) return;
        if (delivery) {
          await dispatch(delivery).catch(() => queues.deliveries.push(delivery, delivery));
        }
        if (notification) {
          await notify(notification).catch(() =>
            queues.subscribers.push(notification, notification),
          );
        }
        if (message) {
          world.tenant.sent.push(message);
          await world.work().catch(() => queues.executions.push(message));
        }
      }
    };
    const loadResults = async (id: string) => {
      const delivery = await getDelivery(db, world.tenantId, webhook.id, id);
      return delivery ? listDeliveryRuns(db, world.tenantId, delivery) : [];
    };
    return {
      world,
      webhook,
      subscribe,
      queues,
      accept,
      dispatch,
      notify,
      drain,
      loadResults,
    };
  };

  test.each([
    "GetItem",
    "PutItem",
    "UpdateItem",
    "Query",
    "TransactWriteItems",
    "BatchGetItem",
    "BatchExecuteStatement",
  ])(
    "runs its subscriber once, although any one %s after it was accepted fails",
    { tags: "nightly" },
    async (command) => {
      const contents = [agent, queued];
      for (let passing = 0; passing < 10; passing += 1) {
        const { world, webhook, accept, drain } = await start(1, contents[passing % 2]);
        expect(await accept("d-1")).toMatchObject({ response: { status: 204 } });
        db.failNext(command, Math.floor(passing / 2));
        await drain();
        const isUnfailed = db.clearFailures();
        world.tenant.advance(120_000);
        await world.recover();
        await drain();
        const records = await world.list("a");
        expect(records.map(({ status }) => status)).toEqual(["Succeeded"]);
        expect(records[0]?.trigger).toEqual({ type: 2, id: webhook.id, provider: "github" });
        expect(records[0]?.traceId).toBe(traceId);
        if (isUnfailed && passing % 2 === 1) return;
      }
    },
  );

  test.each([
    [1, ["PutItem"]],
    [10, ["PutItem", "BatchExecuteStatement"]],
  ])(
    "of %i agents is dispatched in three calls, and one or two that create all executions",
    { tags: "nightly" },
    async (count, inserts) => {
      const { queues, accept, dispatch } = await start(count, queued);
      await accept("warm");
      await dispatch(queues.deliveries.shift());
      await accept("d-1");
      db.calls.length = 0;
      await dispatch(queues.deliveries.shift());
      expect(db.calls).toEqual(["Query", "BatchGetItem", "BatchExecuteStatement", ...inserts]);
      expect(queues.executions.at(-1)).toMatchObject({ runs: { length: count } });
    },
  );

  test("that cannot be queued is refused", async () => {
    const { accept, webhook, world } = await start();
    db.failNext("GetItem");
    await expect(accept("d-1")).rejects.toThrow("planned failure");
    expect(webhook.status).toBe("ACTIVE");
    expect(await world.list("a")).toEqual([]);
  });

  test("that the provider repeats within a day is ignored; one that the queue delivers again does not count twice", async () => {
    const { world, queues, accept, drain } = await start();
    await accept("same");
    queues.deliveries.push(...queues.deliveries);
    await accept("same");
    await drain();
    expect(await world.list("a")).toHaveLength(1);
  });

  test("starts an execution for each of eleven subscriptions of one agent, and stores their results", {
    tags: "nightly",
  }, async () => {
    const { world, queues, accept, drain, loadResults } = await start(11);
    await accept("one");
    const { id } = DispatchDeliveryMessage.parse(queues.deliveries[0]);
    await drain();
    const results = await loadOutcomes(db, world.tenantId, await loadResults(id));
    expect(results.map(({ status }) => status)).toEqual(Array(11).fill("Succeeded"));
    expect(await world.list("a")).toHaveLength(11);
  });

  test("continues the session that its subscription names by an expression; one without an id is refused", {
    tags: "nightly",
  }, async () => {
    const { world, subscribe, accept, drain, queues, loadResults } = await start(0);
    await world.deploy("a", { ...agent, useSession: true });
    await subscribe({ session: { id: "{% eventType %}", endUserId: "ada" } });
    await accept("d-1");
    await accept("d-2");
    await drain();
    const session = await getSession(db, toSessionPlace(world.tenantId, "a", "push"));
    expect(session).toMatchObject({ turnCount: 2, endUserId: "ada", starter: { type: 2 } });
    expect(await world.list("a")).toMatchObject(
      Array(2).fill({ status: "Succeeded", session: { id: "push" } }),
    );
    await subscribe({ session: "{% [1] %}" });
    await accept("d-3");
    const { id } = DispatchDeliveryMessage.parse(queues.deliveries[0]);
    await drain();
    expect(await world.list("a")).toHaveLength(3);
    const results = await loadOutcomes(db, world.tenantId, await loadResults(id));
    expect(results.flatMap(({ error }) => error ?? [])).toEqual([
      expect.stringContaining("session does not return an id"),
    ]);
  });

  test("shows that a session of another end user refused it, without another attempt", async () => {
    const { world, subscribe, accept, drain, queues, loadResults } = await start(0);
    await world.deploy("a", { ...agent, useSession: true });
    await subscribe({ session: { id: "s", endUserId: "{% payload.delivery %}" } });
    await accept("ada");
    await drain();
    await accept("bob");
    const { id } = DispatchDeliveryMessage.parse(queues.deliveries[0]);
    await drain();
    expect(await world.list("a")).toMatchObject([{ status: "Succeeded" }]);
    const results = await loadOutcomes(db, world.tenantId, await loadResults(id));
    expect(results).toMatchObject([
      {
        status: "Failed",
        executionId: null,
        attempts: 1,
        error: 'The session "s" belongs to another end user.',
      },
    ]);
  });

  test("to a webhook that was deleted meanwhile reaches no subscriber", async () => {
    const { world, webhook, queues, accept, drain } = await start();
    await accept("d-1");
    const { ctx, deps } = world.tenant;
    await deleteWebhook(
      { ...deps, clock: ctx.clock },
      { tenantId: world.tenantId, webhookId: webhook.id },
    );
    world.tenant.sent.length = 0;
    await drain();
    expect(queues.subscribers).toEqual([]);
    expect(await world.list("a")).toEqual([]);
    const stored = await listDeliveries(db, world.tenantId, webhook.id, { size: 10, skip: 0 });
    expect(stored.items).toEqual([]);
  });

  test("marks an asset as changed at the latest time, however often it arrives", {
    tags: "nightly",
  }, async () => {
    const { world, subscribe, queues, accept, drain, loadResults } = await start(0);
    const { ctx } = world.tenant;
    const link = "https://example.com/handbook";
    await world.deploy("b", { ...agent, assets: [{ id: "handbook", link }] });
    await subscribe({ subscriberType: "Asset", subscriberId: "handbook" });
    const [asset] = await listTenantAssets(world.tenantId);
    expect(asset?.changedAt).toBeNull();
    await accept("d-1");
    const [earlier] = queues.deliveries.splice(0);
    world.tenant.advance(1_000);
    const later = ctx.clock();
    await accept("d-2");
    queues.deliveries.push(earlier, earlier);
    await drain();
    expect((await listTenantAssets(world.tenantId))[0]?.changedAt).toBe(later);
    const message = DispatchDeliveryMessage.parse(earlier);
    expect(await loadResults(message.id)).toMatchObject([
      { status: "Succeeded", executionId: null, error: null },
    ]);
    await world.deploy("b", {
      ...agent,
      assets: [{ id: "handbook", displayName: "Handbook", link }],
    });
    expect((await listTenantAssets(world.tenantId))[0]).toMatchObject({
      displayName: "Handbook",
      changedAt: later,
    });
  });

  test("starts one synchronization of an asset with a source, however many deliveries arrive", async () => {
    const { world, subscribe, queues, accept, drain } = await start(0);
    const { ctx, deps } = world.tenant;
    await createAsset(
      { ...deps, outgoing: {}, sources: [] },
      { ctx, body: { id: "notes", displayName: "Notes", type: "upload" } },
    );
    await subscribe({ subscriberType: "Asset", subscriberId: "notes" });
    for (const delivery of ["d-1", "d-2", "d-3"]) await accept(delivery);
    await drain();
    expect(queues.syncs).toEqual([
      expect.objectContaining({ type: "sync-asset", assetId: "notes" }),
    ]);
    expect((await listTenantAssets(world.tenantId))[0]).toMatchObject({ status: "Syncing" });
  });

  test("contains no credentials of its sender", async () => {
    const { world, webhook, queues, accept, drain } = await start();
    await accept("d-1");
    const [message] = queues.deliveries.map((delivery) => DispatchDeliveryMessage.parse(delivery));
    await drain();
    const delivery = await getDelivery(db, world.tenantId, webhook.id, message?.id ?? "");
    expect(delivery?.headers).toMatchObject({ "x-github-event": "push" });
    expect(JSON.stringify([message, delivery])).not.toContain("secret-of-the-sender");
    expect(JSON.stringify(delivery?.headers)).not.toContain("signature");
  });

  test("to hundreds of agents is a message for ten of them, and the types of event choose", {
    tags: "nightly",
  }, async () => {
    const { subscribe, queues, accept, dispatch, loadResults } = await start(0);
    const count = isNightly ? 1_000 : 200;
    await Promise.all(Array.from({ length: count }, () => subscribe()));
    await subscribe({ eventTypes: ["issues"] });
    await accept("d-1");
    const [message] = queues.deliveries.map((delivery) => DispatchDeliveryMessage.parse(delivery));
    if (!message) throw new Error("nothing was queued");
    db.calls.length = 0;
    await dispatch(message);
    expect(db.calls.length).toBeLessThan(10);
    const parts = queues.subscribers.map((subscriber) =>
      NotifySubscribersMessage.parse(subscriber),
    );
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at + 1));
    const notified = parts.flatMap(({ subscriptions }) => subscriptions.map(({ id }) => id));
    expect([parts.length, new Set(notified).size]).toEqual([count / 10, count]);
    expect(await loadResults(message.id)).toEqual([]);
  });

  test("that is replayed runs the current agents again, once per replay, with separate results", {
    tags: "nightly",
  }, async () => {
    const { world, webhook, subscribe, queues, accept, dispatch, drain, loadResults } =
      await start();
    await accept("d-1");
    const { id } = DispatchDeliveryMessage.parse(queues.deliveries[0]);
    await drain();
    await subscribe({ filter: "payload.n = 0" });
    const replay = {
      type: "dispatch-delivery",
      tenantId: world.tenantId,
      webhookId: webhook.id,
      id,
    };
    for (let count = 0; count < 2; count += 1) {
      world.tenant.advance(1_000);
      const message = { ...replay, replayId: newUuid(world.tenant.ctx) };
      await dispatch(message);
      await dispatch(message);
      await drain();
    }
    expect(await world.list("a")).toHaveLength(3);
    const results = await loadResults(id);
    expect(results.map(({ status, replayId }) => [status, replayId === null])).toEqual([
      ["Pending", true],
      ["Pending", false],
      ["Pending", false],
      ["Skipped", false],
      ["Skipped", false],
    ]);
    expect(new Set(results.map(({ executionId }) => executionId)).size).toBe(4);
  });

  test("queued before ids were derived from the provider's is dispatched once, and so is its repetition", {
    tags: "nightly",
  }, async () => {
    const { world, webhook, queues, accept, dispatch, drain } = await start();
    await accept("d-1");
    const message = DispatchDeliveryMessage.parse(queues.deliveries.shift());
    const earlier = () => ({ ...message, id: newUuid(world.tenant.ctx) });
    const [first, second] = [earlier(), earlier()];
    await dispatch(first);
    await dispatch(second);
    await dispatch(first);
    await accept("d-1");
    queues.subscribers.push({
      type: "notify-subscriber",
      tenantId: world.tenantId,
      webhookId: webhook.id,
      id: first.id,
      subscriptionId: (await listSubscriptions(db, world.tenantId, webhook.id))[0]?.id,
    });
    await drain();
    expect((await world.list("a")).map(({ status }) => status)).toEqual(["Succeeded"]);
  });

  describe("that is cut off", () => {
    /** Accepts a delivery and takes its message from the queue. */
    const accepted = async ({ accept, queues }: Awaited<ReturnType<typeof start>>) => {
      await accept("d-1");
      return DispatchDeliveryMessage.parse(queues.deliveries.shift());
    };
    const listStatuses = async ({ world }: Awaited<ReturnType<typeof start>>) =>
      (await world.list("a")).map(({ status }) => status);

    test("before it is stored starts nothing, and is repeated", { tags: "nightly" }, async () => {
      const pipeline = await start(2);
      const message = await accepted(pipeline);
      db.failNext("BatchExecuteStatement");
      await expect(pipeline.dispatch(message)).rejects.toThrow("planned failure");
      expect(await listStatuses(pipeline)).toEqual([]);
      await pipeline.dispatch(message);
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual(["Succeeded", "Succeeded"]);
    });

    test("after it is stored continues with the subscriptions that it had", {
      tags: "nightly",
    }, async () => {
      const pipeline = await start(2);
      const message = await accepted(pipeline);
      db.loseNextResponse("BatchExecuteStatement");
      await expect(pipeline.dispatch(message)).rejects.toThrow("planned loss");
      await pipeline.subscribe();
      await pipeline.dispatch(message);
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual(["Succeeded", "Succeeded"]);
      expect(await pipeline.loadResults(message.id)).toHaveLength(2);
    });

    test("between creating its executions and queueing them is queued by the next attempt", {
      tags: "nightly",
    }, async () => {
      const pipeline = await start(2, queued);
      const message = await accepted(pipeline);
      const send = async (): Promise<void> => {
        throw new Error("the queue does not respond");
      };
      await pipeline.dispatch(message, { send });
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual(["Queued", "Queued"]);
      await pipeline.dispatch(message);
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual(["Succeeded", "Succeeded"]);
    });

    test("starts all agents although one start fails, which is retried separately", {
      tags: "nightly",
    }, async () => {
      const pipeline = await start(3, queued);
      const message = await accepted(pipeline);
      db.spoilNext(1, 1);
      await pipeline.dispatch(message);
      expect(pipeline.queues.subscribers).toHaveLength(1);
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual(["Succeeded", "Succeeded", "Succeeded"]);
      const results = await pipeline.loadResults(message.id);
      expect(results.map(({ executionId }) => executionId)).not.toContain(null);
    });

    test("by slow subscriptions is repeated for them separately", { tags: "nightly" }, async () => {
      const pipeline = await start(2);
      const message = await accepted(pipeline);
      await pipeline.dispatch(message, { sleep: async () => undefined });
      expect(await listStatuses(pipeline)).toEqual([]);
      expect(await pipeline.loadResults(message.id)).toMatchObject([
        { status: "Pending" },
        { status: "Pending" },
      ]);
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual(["Succeeded", "Succeeded"]);
    });

    test("in the middle of a part of many agents runs every agent once", {
      tags: "nightly",
    }, async () => {
      const pipeline = await start(25);
      const message = await accepted(pipeline);
      await pipeline.dispatch(message);
      expect(pipeline.queues.subscribers).toHaveLength(3);
      const [part] = pipeline.queues.subscribers.splice(0, 1);
      db.failNext("TransactWriteItems");
      await pipeline.notify(part);
      db.clearFailures();
      db.failNext("PutItem");
      await pipeline.notify(part).catch(() => undefined);
      pipeline.queues.subscribers.push(part);
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual(Array(25).fill("Succeeded"));
      expect(
        new Set((await pipeline.loadResults(message.id)).map((result) => result.executionId)).size,
      ).toBe(25);
    });

    test("by a second dispatcher of the same message runs every agent once", {
      tags: "nightly",
    }, async () => {
      const pipeline = await start(3);
      const message = await accepted(pipeline);
      await Promise.all([pipeline.dispatch({ ...message }), pipeline.dispatch({ ...message })]);
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual(Array(3).fill("Succeeded"));
    });

    test("is continued although its provider sends it again meanwhile", {
      tags: "nightly",
    }, async () => {
      const pipeline = await start(1);
      const message = await accepted(pipeline);
      db.loseNextResponse("BatchExecuteStatement");
      await expect(pipeline.dispatch(message)).rejects.toThrow("planned loss");
      pipeline.world.tenant.advance(1);
      await pipeline.accept("d-1");
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual([]);
      await pipeline.dispatch(message);
      await pipeline.drain();
      expect(await listStatuses(pipeline)).toEqual(["Succeeded"]);
    });
  });
});
