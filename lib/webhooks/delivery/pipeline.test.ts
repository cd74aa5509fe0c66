import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { listAssets } from "../../knowledge/asset/store.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Headers } from "../../platform/http/request.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { DispatchDeliveryMessage, NotifySubscriberMessage } from "../messages.ts";
import { createSubscription } from "../webhook/create-subscription.ts";
import { createWebhook } from "../webhook/create-webhook.ts";
import { deleteWebhook } from "../webhook/delete-webhook.ts";
import { CreateSubscriptionBody } from "../webhook/schemas.ts";
import { getDelivery, listResults } from "../webhook/store.ts";
import { acceptDelivery } from "./accept-delivery.ts";
import { dispatchDelivery } from "./dispatch-delivery.ts";
import { notifySubscriber } from "./notify-subscriber.ts";

const agent = {
  parametersMetadata: [{ name: "event", type: "Json" }],
  flow: { steps: [{ id: "out", type: "Output", value: "{% input.event.payload.n %}" }], edges: [] },
};
const body = Buffer.from('{"n": 7}');

describe("the way of a delivery", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  const assetsOf = async (tenantId: TenantId) =>
    (await listAssets(db, tenantId, { size: 200, skip: 0 })).items;

  const start = async (subscribers = 1) => {
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
    await world.deploy("a", agent);
    const webhook = await createWebhook({
      ctx: { ...ctx, baseUrl: "http://localhost" },
      input: { provider: "github" },
      deps: storage,
    });
    const subscribe = (more: object = {}) =>
      createSubscription({
        ctx,
        input: {
          webhookId: webhook.id,
          body: CreateSubscriptionBody.parse({
            subscriberType: "Agent",
            subscriberId: "a",
            ...more,
          }),
        },
        deps: storage,
      });
    for (let count = 0; count < subscribers; count += 1) await subscribe();

    const queues: { deliveries: unknown[]; subscribers: unknown[]; executions: unknown[] } = {
      deliveries: [],
      subscribers: [],
      executions: [],
    };
    const send = async (queue: string, _tenant: string, message: unknown) => {
      if (queue === "deliveries") queues.deliveries.push(message);
      if (queue === "executions") queues.executions.push(message);
    };
    const sendMany = async (_queue: string, _tenant: string, messages: readonly unknown[]) => {
      queues.subscribers.push(...messages);
    };
    const accept = (delivery: string) => {
      const signature = createHmac("sha256", webhook.signingSecret ?? "")
        .update(body)
        .digest("hex");
      const headers: Headers = new Map([
        ["content-type", ["application/json"]],
        ["x-github-event", ["push"]],
        ["x-github-delivery", [delivery]],
        ["x-hub-signature-256", [`sha256=${signature}`]],
        ["authorization", ["Bearer secret-of-the-sender"]],
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
          address: "127.0.0.1",
          runtime: ctx,
        },
      );
    };
    /** Handles what is queued; a message whose handling fails stays, and comes once more besides. */
    const drain = async (): Promise<void> => {
      for (let left = 30; left > 0; left -= 1) {
        const delivery = queues.deliveries.shift();
        const notification = queues.subscribers.shift();
        const message = world.tenant.sent.shift() ?? queues.executions.shift();
        if (!delivery && !notification && !message) return;
        if (delivery) {
          await dispatchDelivery({ db, sendMany }, DispatchDeliveryMessage.parse(delivery)).catch(
            () => queues.deliveries.push(delivery, delivery),
          );
        }
        if (notification) {
          await notifySubscriber(
            { ...world.deps, send },
            NotifySubscriberMessage.parse(notification),
            1,
          ).catch(() => queues.subscribers.push(notification, notification));
        }
        if (message) {
          world.tenant.sent.push(message);
          await world.work().catch(() => queues.executions.push(message));
        }
      }
    };
    return { world, webhook, subscribe, queues, accept, drain };
  };

  test.each(["GetItem", "PutItem", "UpdateItem", "Query", "TransactWriteItems", "BatchGetItem"])(
    "runs its subscriber once, although any one %s after it was accepted fails",
    async (command) => {
      for (let passing = 0; passing < 5; passing += 1) {
        const { world, webhook, accept, drain } = await start();
        expect(await accept("d-1")).toMatchObject({ answer: { status: 204 } });
        db.failNext(command, passing);
        await drain();
        const isUnfailed = db.clearFailures();
        world.tenant.advance(120_000);
        await world.recover();
        await drain();
        const records = await world.list("a");
        expect(records.map(({ status }) => status)).toEqual(["Succeeded"]);
        expect(records[0]?.trigger).toEqual({ type: 2, id: webhook.id, provider: "github" });
        if (isUnfailed) return;
      }
    },
  );

  test("that cannot be queued is not answered with success", async () => {
    const { accept, webhook, world } = await start();
    db.failNext("BatchGetItem");
    await expect(accept("d-1")).rejects.toThrow("planned failure");
    expect(webhook.status).toBe("ACTIVE");
    expect(await world.list("a")).toEqual([]);
  });

  test("that the provider sends again within a day goes no further; one that our queue sends again does not count twice", async () => {
    const { world, queues, accept, drain } = await start();
    await accept("same");
    queues.deliveries.push(...queues.deliveries);
    await accept("same");
    await drain();
    expect(await world.list("a")).toHaveLength(1);
  });

  test("to a webhook that was deleted meanwhile reaches nobody", async () => {
    const { world, webhook, queues, accept, drain } = await start();
    await accept("d-1");
    await deleteWebhook(world.tenantId, webhook.id, world.tenant.deps);
    world.tenant.sent.length = 0;
    await drain();
    expect(queues.subscribers).toEqual([]);
    expect(await world.list("a")).toEqual([]);
  });

  test("notes of an asset that its source changed, at the latest time of all, however often it comes", async () => {
    const { world, webhook, subscribe, queues, accept, drain } = await start(0);
    const { ctx } = world.tenant;
    await world.deploy("b", { ...agent, assets: [{ id: "handbook" }] });
    await subscribe({ subscriberType: "Asset", subscriberId: "handbook" });
    const [asset] = await assetsOf(world.tenantId);
    expect(asset?.changedAt).toBeNull();
    await accept("d-1");
    const [earlier] = queues.deliveries.splice(0);
    world.tenant.advance(1_000);
    const later = ctx.clock();
    await accept("d-2");
    queues.deliveries.push(earlier, earlier);
    await drain();
    expect((await assetsOf(world.tenantId))[0]?.changedAt).toBe(later);
    const message = DispatchDeliveryMessage.parse(earlier);
    const results = await listResults(db, world.tenantId, webhook.id, message.id);
    expect(results).toMatchObject([{ status: "Succeeded", executionId: null, error: null }]);
    await world.deploy("b", { ...agent, assets: [{ id: "handbook", displayName: "Handbook" }] });
    expect((await assetsOf(world.tenantId))[0]).toMatchObject({
      displayName: "Handbook",
      changedAt: later,
    });
  });

  test("holds no credentials of its sender", async () => {
    const { world, webhook, queues, accept, drain } = await start();
    await accept("d-1");
    const [message] = queues.deliveries.map((each) => DispatchDeliveryMessage.parse(each));
    await drain();
    const delivery = await getDelivery(db, world.tenantId, webhook.id, message?.id ?? "");
    expect(delivery?.headers).toMatchObject({ "x-github-event": "push" });
    expect(JSON.stringify([message, delivery])).not.toMatch(/secret-of-the-sender|x-hub-signature/);
  });

  test("to a thousand subscribers is one message each, and the types of event choose", async () => {
    const { world, webhook, subscribe, queues, accept } = await start(0);
    await Promise.all(Array.from({ length: 1_000 }, () => subscribe()));
    await subscribe({ eventTypes: ["issues"] });
    await accept("d-1");
    const [message] = queues.deliveries.map((each) => DispatchDeliveryMessage.parse(each));
    if (!message) throw new Error("nothing was queued");
    const sendMany = async (_queue: string, _tenant: string, messages: readonly unknown[]) => {
      queues.subscribers.push(...messages);
    };
    db.calls.length = 0;
    await dispatchDelivery({ db, sendMany }, message);
    expect(db.calls.length).toBeLessThan(10);
    const told = queues.subscribers.map((each) => NotifySubscriberMessage.parse(each));
    expect(new Set(told.map(({ subscriptionId }) => subscriptionId)).size).toBe(1_000);
    expect(await listResults(db, world.tenantId, webhook.id, message.id)).toEqual([]);
  });
});
