import { getConnector } from "../../chat/connector/store.ts";
import { chatProvider } from "../../chat/providers/index.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, type Problem, validationFailed } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { authorizeSubscribers } from "./authorize-subscribers.ts";
import { checkSubscription } from "./check-subscription.ts";
import { requireWebhook } from "./require-webhook.ts";
import type { CreateSubscriptionBody, Subscription } from "./schemas.ts";
import { mostSubscriptions, putSubscription } from "./subscription-store.ts";

/**
 * Subscribes an agent, an asset or a connector to a webhook. Throws 403 for a caller who may not run the agent,
 * 400 for an invalid filter or input or an unknown subscriber, 404 for an unknown webhook, and 409 when the limit
 * is reached.
 */
export const createSubscription = async ({
  ctx,
  input: { webhookId, body },
  deps: { db },
}: {
  ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal">;
  input: { webhookId: string; body: CreateSubscriptionBody };
  deps: { db: Database };
}): Promise<Subscription> => {
  const tenantId = ctx.tenant.id;
  const { subscriberType } = body;
  const subscriber = { subscriberType, subscriberId: subscriberIdOf(body) };
  await authorizeSubscribers(db, ctx, [subscriber]);
  await checkSubscription(body);
  if (body.subscriberType === "Connector") await checkConnector(db, tenantId, body);
  const now = ctx.clock();
  const subscription: Subscription = {
    id: newUuid(ctx),
    webhookId,
    ...subscriber,
    eventTypes: body.eventTypes ?? null,
    filter: body.filter ?? null,
    input: body.input ?? null,
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
        `The webhook has reached its limit of ${mostSubscriptions} subscriptions or 4 MB in total.`,
      );
  }
};

/** Connector ids are UUIDs and case-insensitive. */
const subscriberIdOf = ({ subscriberType, subscriberId }: CreateSubscriptionBody): string =>
  subscriberType === "Connector" ? subscriberId.toLowerCase() : subscriberId;

const noSubscriber = ({ subscriberType, subscriberId }: CreateSubscriptionBody): Problem => {
  const detail = `there is no ${subscriberType.toLowerCase()} "${subscriberId}"`;
  return validationFailed([{ pointer: "/subscriberId", detail }]);
};

/** Rejects an input for a provider that can't reply by a conversation's id. */
const checkConnector = async (
  db: Database,
  tenantId: TenantId,
  body: CreateSubscriptionBody,
): Promise<void> => {
  const connector = await getConnector(db, tenantId, subscriberIdOf(body));
  if (!connector) throw noSubscriber(body);
  const provider = chatProvider(connector.provider);
  if (!isGiven(body.input) || provider.replyToOf) return;
  const detail = `must be omitted for a connector of ${provider.displayName}, which can only reply to ${provider.displayName}'s own messages`;
  throw validationFailed([{ pointer: "/input", detail }]);
};

const isGiven = (input: unknown): boolean => input !== null && input !== undefined;
