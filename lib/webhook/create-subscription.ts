import type { Database } from "../db/database.ts";
import type { TenantContext } from "../http/endpoint.ts";
import { conflict, validationFailed } from "../http/problems.ts";
import { newUuid } from "../runtime/runtime.ts";
import { checkSubscription } from "./check-subscription.ts";
import { requireWebhook } from "./require-webhook.ts";
import type { CreateSubscriptionBody, Subscription } from "./schemas.ts";
import { mostSubscriptions, putSubscription } from "./subscription-store.ts";

/**
 * Subscribes an agent to a webhook. Throws 400 for a filter or an input that is no JSONata, or an agent that
 * does not exist, 404 for an unknown webhook, and 409 when it has too many subscriptions.
 */
export const createSubscription = async ({
  ctx,
  input: { webhookId, body },
  deps: { db },
}: {
  ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">;
  input: { webhookId: string; body: CreateSubscriptionBody };
  deps: { db: Database };
}): Promise<Subscription> => {
  const tenantId = ctx.tenant.id;
  checkSubscription(body);
  const now = ctx.clock();
  const subscription: Subscription = {
    id: newUuid(ctx),
    webhookId,
    subscriberType: body.subscriberType,
    subscriberId: body.subscriberId,
    eventTypes: body.eventTypes ?? null,
    filter: body.filter ?? null,
    input: body.input ?? null,
    createdAt: now,
    modifiedAt: now,
  };
  switch (await putSubscription(db, tenantId, subscription)) {
    case "written":
      return subscription;
    case "no-agent": {
      const detail = `there is no agent "${body.subscriberId}"`;
      throw validationFailed([{ pointer: "/subscriberId", detail }]);
    }
    case "no-webhook-or-full":
      await requireWebhook(db, tenantId, webhookId);
      throw conflict(
        `The webhook has as many subscriptions as it may: ${mostSubscriptions}, or 4 MB in all.`,
      );
  }
};
