import type { Database } from "../../platform/db/database.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { DispatchDeliveryMessage } from "../messages.ts";
import { authorizeAllSubscribers } from "../webhook/authorize-subscribers.ts";
import { requireWebhook } from "../webhook/require-webhook.ts";
import type { Delivery } from "../webhook/schemas.ts";
import { getDelivery, listResults } from "../webhook/store.ts";
import { loadOutcomes } from "./load-outcomes.ts";
import { isKept, toDelivery } from "./to-delivery.ts";

/**
 * Dispatches a delivery again, to the current subscribers. Throws 403 for a caller who may not run their agents,
 * 404 for an unknown webhook or delivery, and 409 while the webhook is disabled.
 */
export const replayDelivery = async ({
  ctx,
  input: { webhookId, deliveryId },
  deps: { db, send },
}: {
  ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal" | "once">;
  input: { webhookId: string; deliveryId: string };
  deps: { db: Database; send: Send };
}): Promise<Delivery> => {
  const tenantId = ctx.tenant.id;
  const [webhook, delivery, results] = await Promise.all([
    requireWebhook(db, tenantId, webhookId),
    getDelivery(db, tenantId, webhookId, deliveryId),
    listResults(db, tenantId, webhookId, deliveryId),
  ]);
  await authorizeAllSubscribers(db, ctx, webhookId);
  if (!delivery || !isKept(delivery, ctx.clock())) throw notFound("delivery", deliveryId);
  if (webhook.status === "DISABLED") {
    throw conflict(`The webhook "${webhookId}" is disabled. Set its status to ACTIVE first.`);
  }
  const message: DispatchDeliveryMessage = {
    type: "dispatch-delivery",
    tenantId,
    webhookId,
    id: deliveryId,
    replayId: ctx.once?.earlier[0] ?? ctx.once?.token ?? newUuid(ctx),
  };
  await send("deliveries", tenantId, message);
  return toDelivery(delivery, await loadOutcomes(db, tenantId, results));
};
