import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { conflict } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { authorizeSubscribers } from "./authorize-subscribers.ts";
import { checkConnectorInput, noSubscriber } from "./check-connector-input.ts";
import { checkSubscription } from "./check-subscription.ts";
import { requireWebhook } from "./require-webhook.ts";
import type { CreateSubscriptionBody, Subscription } from "./schemas.ts";
import { maxSubscriptions, putSubscription } from "./subscription-store.ts";

/**
 * Subscribes an agent, an asset or a connector to a webhook. Throws 403 for a caller who may not run the agent,
 * 400 for invalid event types, an invalid filter or input, or an unknown subscriber, 404 for an unknown webhook, and 409 when the limit
 * is reached.
 */
export const createSubscription = async (
  { db, objects }: { db: Database; objects: ObjectStore },
  {
    ctx,
    webhookId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal">;
    webhookId: string;
    body: CreateSubscriptionBody;
  },
): Promise<Subscription> => {
  const tenantId = ctx.tenant.id;
  const { subscriberType } = body;
  const subscriber = { subscriberType, subscriberId: normalizeSubscriberId(body) };
  await authorizeSubscribers(db, ctx, [subscriber]);
  const { provider } = await requireWebhook(db, tenantId, webhookId);
  const written = { ...body, ...subscriber, input: body.input ?? null };
  await checkSubscription({ db, objects }, { tenantId, provider, written });
  await checkConnectorInput(db, tenantId, written);
  const now = ctx.clock();
  const subscription: Subscription = {
    id: newUuid(ctx),
    webhookId,
    ...subscriber,
    eventTypes: body.eventTypes ?? null,
    filter: body.filter ?? null,
    input: body.input ?? null,
    session: body.session ?? null,
    createdAt: now,
    modifiedAt: now,
  };
  switch (await putSubscription(db, tenantId, subscription)) {
    case "written":
      return subscription;
    case "no-subscriber":
      throw noSubscriber(body);
    case "no-webhook-or-full":
      await requireWebhook(db, tenantId, webhookId);
      throw conflict(
        `The webhook has reached its limit of ${maxSubscriptions} subscriptions or 4 MB in total.`,
      );
  }
};

/** Connector ids are UUIDs and case-insensitive. */
const normalizeSubscriberId = ({ subscriberType, subscriberId }: CreateSubscriptionBody): string =>
  subscriberType === "Connector" ? subscriberId.toLowerCase() : subscriberId;
