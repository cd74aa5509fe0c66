import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { authorizeSubscribers } from "./authorize-subscribers.ts";
import { checkConnectorInput } from "./check-connector-input.ts";
import { checkSubscription } from "./check-subscription.ts";
import { requireWebhook } from "./require-webhook.ts";
import type { Subscription, UpdateSubscriptionBody } from "./schemas.ts";
import { getSubscription, replaceSubscription } from "./subscription-store.ts";

/**
 * Updates a subscription's event types, filter or input. Throws 404, 403 for a caller who may not run the
 * subscribed agent, 400 for invalid event types, an invalid filter or input, and 409 on repeated concurrent changes.
 */
export const updateSubscription = async (
  { db, objects }: { db: Database; objects: ObjectStore },
  {
    ctx,
    webhookId,
    subscriptionId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
    webhookId: string;
    subscriptionId: string;
    body: UpdateSubscriptionBody;
  },
): Promise<Subscription> => {
  const tenantId = ctx.tenant.id;
  const { provider } = await requireWebhook(db, tenantId, webhookId);
  const error = () =>
    conflict(
      `The subscription "${subscriptionId}" is being changed by concurrent requests. Try again.`,
    );
  return retryOnConflict({ error }, async () => {
    const before = await getSubscription(db, tenantId, webhookId, subscriptionId);
    if (!before) throw notFound("subscription", subscriptionId);
    await authorizeSubscribers(db, ctx, [before]);
    const { subscriberType, subscriberId } = before;
    const written = { ...body, subscriberType, subscriberId };
    await checkSubscription({ db, objects }, { tenantId, provider, written });
    await checkConnectorInput(db, tenantId, written);
    const after: Subscription = {
      ...before,
      ...(body.eventTypes !== undefined && { eventTypes: body.eventTypes }),
      ...(body.filter !== undefined && { filter: body.filter }),
      ...(body.input !== undefined && { input: body.input }),
      ...(body.session !== undefined && { session: body.session }),
      modifiedAt: Math.max(ctx.clock(), before.modifiedAt + 1),
    };
    const outcome = await replaceSubscription(db, tenantId, before, after);
    if (outcome === "full") {
      throw conflict("The webhook's subscriptions would be larger than 4 MB in all.");
    }
    return outcome === "written" ? after : outcome;
  });
};
