import type { Database } from "../../platform/db/database.ts";
import { conflict, notFound, validationFailed } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { isKept } from "../../tenancy/tenant/retention.ts";
import type { DispatchDeliveryMessage } from "../messages.ts";
import { authorizeSubscribers } from "../webhook/authorize-subscribers.ts";
import { requireWebhook } from "../webhook/require-webhook.ts";
import type { DeliveryReplay, ReplayDeliveryBody } from "../webhook/schemas.ts";
import { listSubscriptions } from "../webhook/store.ts";
import { isSubscribed } from "./is-subscribed.ts";
import { startedId } from "./started-id.ts";
import { getDelivery } from "./store.ts";

/**
 * Dispatches a delivery again, to the current subscribers or one of them, and returns the ids of the new executions.
 * Throws 403 for a caller who may not run their agents, 404 for an unknown webhook or delivery, 400 for an unknown
 * subscription, and 409 while the webhook is disabled.
 */
export const replayDelivery = async (
  { db, send }: { db: Database; send: Send },
  {
    ctx,
    webhookId,
    deliveryId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal" | "once">;
    webhookId: string;
    deliveryId: string;
    body: ReplayDeliveryBody;
  },
): Promise<DeliveryReplay> => {
  const tenantId = ctx.tenant.id;
  const { subscriptionId } = body;
  const [webhook, delivery, all] = await Promise.all([
    requireWebhook(db, tenantId, webhookId),
    getDelivery(db, tenantId, webhookId, deliveryId),
    listSubscriptions(db, tenantId, webhookId),
  ]);
  const wanted = all.filter(({ id }) => subscriptionId === undefined || id === subscriptionId);
  await authorizeSubscribers(db, ctx, wanted);
  if (!delivery || !isKept(delivery, ctx.clock())) throw notFound("delivery", deliveryId);
  if (subscriptionId !== undefined && wanted.length === 0) {
    const detail = "is not a subscription of this webhook";
    throw validationFailed([{ pointer: "/subscriptionId", detail }]);
  }
  if (webhook.status === "DISABLED") {
    throw conflict(`The webhook "${webhookId}" is disabled. Set its status to ACTIVE first.`);
  }
  const replayId = ctx.once?.earlier[0] ?? ctx.once?.token ?? newUuid(ctx);
  const message: DispatchDeliveryMessage = {
    type: "dispatch-delivery",
    tenantId,
    webhookId,
    id: deliveryId,
    replayId,
    ...(subscriptionId !== undefined && { subscriptionId }),
  };
  await send("deliveries", tenantId, message);
  const runs = wanted
    .filter((subscription) => isSubscribed(subscription, delivery))
    .map(({ id, subscriberType }) => ({
      subscriptionId: id,
      executionId:
        subscriberType === "Agent"
          ? startedId({ id: deliveryId, subscriptionId: id, replayId })
          : null,
    }));
  return { runs };
};
