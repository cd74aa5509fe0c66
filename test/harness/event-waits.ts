import { LookBackMessage } from "../../lib/executions/messages.ts";
import { toQueued } from "../../lib/platform/db/large-value.ts";
import type { Json } from "../../lib/values/json/json.ts";
import { newDeliveryId } from "../../lib/webhooks/delivery/delivery-id.ts";
import { lookBack } from "../../lib/webhooks/delivery/look-back.ts";
import { matchWaits } from "../../lib/webhooks/delivery/match-waits.ts";
import { DispatchDeliveryMessage, MatchWaitsMessage } from "../../lib/webhooks/messages.ts";
import { createWebhook } from "../../lib/webhooks/webhook/create-webhook.ts";
import { dispatchAlone } from "./deliveries.ts";
import { packJson } from "./pack-json.ts";
import type { TestDatabase } from "./table.ts";
import { testWaiting } from "./waiting.ts";

/** A delivery of the provider: its event type, payload and id. */
export type Sent = { eventType?: string | null; payload?: Json; deliveryId?: string | null };

/** Executions that wait for events of a webhook, with the queues of deliveries and subscribers. */
export const testEventWaits = async (db: TestDatabase) => {
  const world = testWaiting(db);
  const { tenant, tenantId } = world;
  const webhook = await createWebhook(tenant.deps, {
    ctx: tenant.ctx,
    body: { provider: "generic" },
  });
  const queued: { at: number; message: unknown }[] = [];
  const { send } = world.deps;
  world.deps.send = async (queue, group, message, delaySeconds = 0) => {
    if (queue !== "subscribers") return send(queue, group, message, delaySeconds);
    queued.push({ at: tenant.ctx.clock() + delaySeconds * 1_000, message });
  };
  const deps = { ...world.deps, sendMany: async () => undefined };
  /** Accepts a delivery: returns the message that dispatches it. */
  const accept = ({ eventType = "ping", payload = {}, deliveryId = null }: Sent = {}) => {
    const receivedAt = tenant.ctx.clock();
    return DispatchDeliveryMessage.parse({
      type: "dispatch-delivery",
      tenantId,
      webhookId: webhook.id,
      id: newDeliveryId(tenant.ctx, webhook.id, deliveryId),
      content: {
        provider: "generic",
        eventType,
        deliveryId,
        receivedAt,
        ttl: Math.ceil(receivedAt / 1_000) + 86_400,
        size: 2,
        headers: { "x-source": "test" },
        payload: toQueued(packJson(payload)),
        keptAs: "payload",
        signatureHeaders: {},
      },
    });
  };
  const dispatch = (message: DispatchDeliveryMessage, attempt = 1) =>
    dispatchAlone(deps, { message, attempt });
  const handle = async (message: unknown): Promise<void> => {
    const match = MatchWaitsMessage.safeParse(message);
    if (match.success) return matchWaits(deps, match.data);
    return lookBack(deps, LookBackMessage.parse(message));
  };
  /** Handles the messages that are due, until none is left. One that fails is handled again. */
  const settle = async (): Promise<void> => {
    for (;;) {
      await world.deliver();
      const due = queued.findIndex(({ at }) => at <= tenant.ctx.clock());
      const [next] = due < 0 ? [] : queued.splice(due, 1);
      if (!next) return;
      await handle(next.message).catch(() => queued.push(next));
    }
  };
  return {
    ...world,
    webhook,
    queued,
    eventDeps: deps,
    accept,
    dispatch,
    handle,
    settle,
    /** Receives a delivery and ends what waits for it. */
    receive: async (sent?: Sent): Promise<DispatchDeliveryMessage> => {
      const message = accept(sent);
      await dispatch(message);
      await settle();
      return message;
    },
    after: async (ms: number): Promise<void> => {
      tenant.advance(ms);
      await settle();
    },
  };
};
