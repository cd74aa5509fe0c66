import { createHash } from "node:crypto";
import { unpackValue } from "../db/large-value.ts";
import { type BeginDeps, beginTriggered } from "../execution/begin-triggered.ts";
import { triggerTypes } from "../execution/schemas.ts";
import type { NotifySubscriberMessage } from "../queue/messages.ts";
import { timeOfUuid, uuidAt } from "../runtime/runtime.ts";
import type { DeliveryResultItem, SubscriptionItem } from "../webhook/items.ts";
import type { DeliveryResult } from "../webhook/schemas.ts";
import { getDelivery, getSubscription, getWebhook, putResult } from "../webhook/store.ts";
import { type DeliveredEvent, evaluateInput, matches, NotMapped } from "./map-event.ts";

/** What telling subscribers needs. */
export type NotifyDeps = BeginDeps;

/**
 * Tells one subscriber of a delivery: the agent's execution is begun, once however often the message comes.
 * What the subscription or the agent does not allow is recorded as the result, and not tried again; failures
 * of the storage are thrown.
 * @param attempt how often the message came, this time included
 */
export const notifySubscriber = async (
  deps: NotifyDeps,
  message: NotifySubscriberMessage,
  attempt: number,
): Promise<void> => {
  const { db, objects } = deps;
  const { tenantId, webhookId, id, subscriptionId } = message;
  const [webhook, subscription, delivery] = await Promise.all([
    getWebhook(db, tenantId, webhookId),
    getSubscription(db, tenantId, webhookId, subscriptionId),
    getDelivery(db, tenantId, webhookId, id),
  ]);
  if (!webhook || !subscription || !delivery) return;
  const event: DeliveredEvent = {
    provider: delivery.provider,
    eventType: delivery.eventType,
    deliveryId: delivery.deliveryId,
    headers: delivery.headers,
    payload: await unpackValue(delivery.payload, objects),
  };
  const outcome = await beginFor(deps, message, { subscription, event }).catch(asFailure);
  await putResult(db, tenantId, webhookId, id, {
    subscriptionId,
    attempts: attempt,
    executionId: null,
    agentId: null,
    error: null,
    ...outcome,
  });
};

type Outcome = Pick<DeliveryResult, "status"> &
  Partial<Pick<DeliveryResultItem, "executionId" | "agentId" | "error">>;

const beginFor = async (
  deps: NotifyDeps,
  message: NotifySubscriberMessage,
  { subscription, event }: { subscription: SubscriptionItem; event: DeliveredEvent },
): Promise<Outcome> => {
  const { clock } = deps.runtime;
  const { tenantId, webhookId } = message;
  if (!(await matches(subscription, event, clock))) return { status: "Skipped" };
  const agentId = subscription.subscriberId;
  const begun = await beginTriggered(deps, {
    tenantId,
    agentId,
    executionId: executionIdOf(message),
    trigger: { type: triggerTypes.webhook, id: webhookId, provider: event.provider },
    inputFor: (parameters) => evaluateInput(subscription, event, parameters, clock),
  });
  if ("refused" in begun) return { status: "Failed", error: begun.refused };
  return { status: "Pending", executionId: begun.executionId, agentId };
};

/** The same for the same message: a message that comes twice begins one execution. */
const executionIdOf = ({ id, subscriptionId, replayId }: NotifySubscriberMessage): string => {
  const digest = createHash("sha256")
    .update(`${id}/${subscriptionId}/${replayId ?? ""}`)
    .digest();
  return uuidAt(timeOfUuid(replayId ?? id), digest);
};

const asFailure = (error: unknown): Outcome => {
  if (error instanceof NotMapped) return { status: "Failed", error: error.message };
  throw error;
};
