import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { RunExecutionMessage } from "../../lib/executions/messages.ts";
import { toQueued } from "../../lib/platform/db/large-value.ts";
import { putNewTenant } from "../../lib/tenancy/tenant/store.ts";
import { newDeliveryId } from "../../lib/webhooks/delivery/delivery-id.ts";
import { listDeliveries } from "../../lib/webhooks/delivery/store.ts";
import { DispatchDeliveryMessage } from "../../lib/webhooks/messages.ts";
import { createSubscription } from "../../lib/webhooks/webhook/create-subscription.ts";
import { createWebhook } from "../../lib/webhooks/webhook/create-webhook.ts";
import { CreateSubscriptionBody } from "../../lib/webhooks/webhook/schemas.ts";
import { testExecutions } from "./execution.ts";
import { packJson } from "./pack-json.ts";
import { runByWorkers } from "./run-by-workers.ts";
import type { TestDatabase } from "./table.ts";

/** Part of a delivery that a test chooses. */
export type SentDelivery = {
  deliveryId?: string | null;
  signedBody?: string;
  payload?: unknown;
  /** Name of the object that has its body. */
  object?: string;
};

const out = { id: "out", type: "Output", value: "{% input.event.payload %}" };

/**
 * Creates a tenant with a webhook and an agent `a` that subscribes to it, and what accepts and dispatches deliveries.
 * @param options `isQueued`: whether workers run the agent; otherwise it only computes
 */
export const testDeliveryBatches = async (
  db: TestDatabase,
  {
    subscribers = 1,
    subscription = {},
    isQueued = false,
  }: { subscribers?: number; subscription?: object; isQueued?: boolean } = {},
) => {
  const world = testExecutions(db);
  const { ctx, deps: storage } = world.tenant;
  const now = ctx.clock();
  const named = { slug: ctx.tenant.id, displayName: "Test", createdAt: now, modifiedAt: now };
  await putNewTenant(db, { ...ctx.tenant, ...named });
  await world.deploy("a", {
    parametersMetadata: [{ name: "event", type: "Json" }],
    ...(isQueued ? runByWorkers(out) : { flow: { steps: [out], edges: [] } }),
  });
  const webhook = await createWebhook(storage, {
    ctx: { ...ctx, baseUrl: "http://localhost" },
    body: { provider: "github" },
  });
  const subscribe = (more: object = {}) =>
    createSubscription(storage, {
      ctx,
      webhookId: webhook.id,
      body: CreateSubscriptionBody.parse({ subscriberType: "Agent", subscriberId: "a", ...more }),
    });
  for (let count = 0; count < subscribers; count += 1) await subscribe(subscription);
  world.tenant.sent.length = 0;
  const sent: { queue: string; message: unknown }[] = [];
  const deps = {
    ...world.deps,
    send: async (queue: string, _tenant: string, message: unknown) => {
      sent.push({ queue, message });
    },
    sendMany: async (queue: string, _tenant: string, messages: readonly unknown[]) => {
      sent.push(...messages.map((message) => ({ queue, message })));
    },
  };
  /** Returns the message of a new delivery. */
  const accept = ({ deliveryId = null, signedBody, payload = {}, object }: SentDelivery = {}) => {
    const receivedAt = ctx.clock();
    return DispatchDeliveryMessage.parse({
      type: "dispatch-delivery",
      tenantId: world.tenantId,
      webhookId: webhook.id,
      id: newDeliveryId(ctx, webhook.id, deliveryId),
      content: {
        provider: "github",
        eventType: "push",
        deliveryId,
        ...(signedBody !== undefined && { signedBody }),
        receivedAt,
        ttl: Math.ceil(receivedAt / 1_000) + 86_400,
        size: 2,
        headers: { "x-source": "test" },
        payload: object === undefined ? toQueued(packJson(payload)) : { object },
        keptAs: "payload",
        signatureHeaders: {},
      },
    });
  };
  /** Returns the queued runs, in order. */
  const listRuns = () =>
    sent.flatMap(({ queue, message }) =>
      queue === "executions" ? RunExecutionMessage.parse(message).runs : [],
    );
  return {
    ...world,
    webhook,
    deps,
    sent,
    accept,
    subscribe,
    listRuns,
    /** Lists the stored deliveries, newest first. */
    listStored: async () =>
      (await listDeliveries(db, world.tenantId, webhook.id, { size: 100, skip: 0 })).items,
    /** Runs the queued executions to their end. */
    runAll: async () => {
      const messages = sent
        .splice(0)
        .flatMap(({ queue, message }) => (queue === "executions" ? [message] : []));
      world.tenant.sent.push(...messages);
      await world.work();
    },
  };
};

export type DeliveryBatches = Awaited<ReturnType<typeof testDeliveryBatches>>;

/** Copies all items of a table to another. */
export const copyItems = async (from: TestDatabase, to: TestDatabase): Promise<void> => {
  const items = await from.scan();
  await Promise.all(
    items.map((Item) => to.client.send(new PutCommand({ TableName: to.table, Item }))),
  );
};
