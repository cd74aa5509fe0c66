import { type BeginDeps, beginTriggered } from "../../agents/execution/begin-triggered.ts";
import { triggerTypes } from "../../agents/execution/schemas.ts";
import { closeSession, openSession } from "../../expression/evaluation-scope.ts";
import { noteAssetChange } from "../../knowledge/asset/store.ts";
import { unpackValue } from "../../platform/db/large-value.ts";
import type { NotifySubscriberMessage } from "../../platform/queue/messages.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { DeliveryResultItem, SubscriptionItem } from "../webhook/items.ts";
import type { DeliveryResult } from "../webhook/schemas.ts";
import { getDelivery, getSubscription, getWebhook, putResult } from "../webhook/store.ts";
import { begunId } from "./begun-id.ts";
import {
  type DeliveredEvent,
  evaluateInput,
  type Mapping,
  matches,
  NotMapped,
} from "./map-event.ts";
import { tellConnector } from "./tell-connector.ts";

/** What telling subscribers needs. */
export type NotifyDeps = BeginDeps;

/**
 * Tells one subscriber of a delivery, once however often the message comes: an agent's execution is begun, what
 * was said to a connector is queued, of an asset it is noted that its source changed. What the subscription or the subscriber does not allow is recorded as
 * the result, and not tried again; failures of the storage are thrown.
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
  const processor = new ProcessorBudget(processorLimits.deliveryMs);
  const mapping = { clock: deps.runtime.clock, processor, session: openSession() };
  const told = { subscription, event, receivedAt: delivery.receivedAt, mapping };
  const outcome = await tell(deps, message, told)
    .catch(asFailure)
    .finally(() => closeSession(mapping.session));
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

type Told = {
  subscription: SubscriptionItem;
  event: DeliveredEvent;
  receivedAt: number;
  mapping: Mapping;
};

const tell = async (
  deps: NotifyDeps,
  message: NotifySubscriberMessage,
  told: Told,
): Promise<Outcome> => {
  const { subscription, event, mapping } = told;
  if (!(await matches(subscription, event, mapping))) return { status: "Skipped" };
  switch (subscription.subscriberType) {
    case "Agent":
      return tellAgent(deps, message, told);
    case "Connector":
      return tellConnector(deps, message, told);
    case "Asset":
      return tellAsset(deps, message, told);
  }
};

const tellAgent = async (
  deps: NotifyDeps,
  message: NotifySubscriberMessage,
  { subscription, event, mapping }: Told,
): Promise<Outcome> => {
  const { tenantId, webhookId } = message;
  const agentId = subscription.subscriberId;
  const begun = await beginTriggered(deps, {
    tenantId,
    agentId,
    executionId: begunId(message),
    trigger: { type: triggerTypes.webhook, id: webhookId, provider: event.provider },
    processor: mapping.processor,
    inputFor: (parameters) => evaluateInput(subscription, event, parameters, mapping),
  });
  if ("refused" in begun) return { status: "Failed", error: begun.refused };
  return { status: "Pending", executionId: begun.executionId, agentId };
};

/** What there is to do when an asset's source changed: to say so. */
const tellAsset = async (
  { db }: NotifyDeps,
  { tenantId }: NotifySubscriberMessage,
  { subscription, receivedAt }: Told,
): Promise<Outcome> =>
  (await noteAssetChange(db, tenantId, subscription.subscriberId, receivedAt))
    ? { status: "Succeeded" }
    : { status: "Failed", error: "The asset is gone." };

const asFailure = (error: unknown): Outcome => {
  if (error instanceof NotMapped) return { status: "Failed", error: error.message };
  throw error;
};
