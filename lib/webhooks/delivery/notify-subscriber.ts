import { triggerTypes } from "../../agents/execution/schemas.ts";
import type { StartDeps } from "../../agents/execution/start-execution.ts";
import { startTriggered } from "../../agents/execution/start-triggered.ts";
import { loadDeployed, missingDetails } from "../../agents/revision/load-deployed.ts";
import { closeSession, openSession } from "../../expression/evaluation-scope.ts";
import { recordAssetChange } from "../../knowledge/asset/store.ts";
import { unpackValue } from "../../platform/db/large-value.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { NotifySubscriberMessage } from "../messages.ts";
import type { DeliveryResultItem, SubscriptionItem } from "../webhook/items.ts";
import type { DeliveryResult } from "../webhook/schemas.ts";
import { getDelivery, getSubscription, getWebhook, putResult } from "../webhook/store.ts";
import {
  type DeliveredEvent,
  evaluateInput,
  type Mapping,
  matches,
  NotMapped,
} from "./map-event.ts";
import { notifyConnector } from "./notify-connector.ts";
import { startedId } from "./started-id.ts";

/** Dependencies of notifying a subscriber. */
export type NotifyDeps = StartDeps;

/**
 * Notifies one subscriber of a delivery once: starts the agent's execution, queues the connector's messages or
 * marks the asset as changed. Saves a refusal as the result without a retry; throws storage failures.
 * @param attempt number of this attempt, from 1
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
  const notification = { subscription, event, receivedAt: delivery.receivedAt, mapping };
  const outcome = await notify(deps, message, notification)
    .catch(asFailure)
    .finally(() => closeSession(mapping.session));
  await putResult(db, tenantId, webhookId, id, {
    subscriptionId,
    replayId: message.replayId ?? null,
    attempts: attempt,
    executionId: null,
    agentId: null,
    error: null,
    ...outcome,
  });
};

type Outcome = Pick<DeliveryResult, "status"> &
  Partial<Pick<DeliveryResultItem, "executionId" | "agentId" | "error">>;

type Notification = {
  subscription: SubscriptionItem;
  event: DeliveredEvent;
  receivedAt: number;
  mapping: Mapping;
};

const notify = async (
  deps: NotifyDeps,
  message: NotifySubscriberMessage,
  notification: Notification,
): Promise<Outcome> => {
  const { subscription, event, mapping } = notification;
  if (!(await matches(subscription, event, mapping))) return { status: "Skipped" };
  switch (subscription.subscriberType) {
    case "Agent":
      return notifyAgent(deps, message, notification);
    case "Connector":
      return notifyConnector(deps, message, notification);
    case "Asset":
      return notifyAsset(deps, message, notification);
  }
};

const notifyAgent = async (
  deps: NotifyDeps,
  message: NotifySubscriberMessage,
  { subscription, event, mapping }: Notification,
): Promise<Outcome> => {
  const { tenantId, webhookId } = message;
  const agentId = subscription.subscriberId;
  const loaded = await loadDeployed(deps, tenantId, agentId);
  if ("missing" in loaded) return { status: "Failed", error: missingDetails[loaded.missing] };
  const { parametersMetadata } = loaded.revision.content;
  const started = await startTriggered(deps, loaded, {
    tenantId,
    executionId: startedId(message),
    trigger: { type: triggerTypes.webhook, id: webhookId, provider: event.provider },
    processor: mapping.processor,
    input: await evaluateInput(subscription, event, parametersMetadata, mapping),
  });
  if ("refusal" in started) return { status: "Failed", error: started.refusal.detail };
  return { status: "Pending", executionId: started.executionId, agentId };
};

/** Marks an asset's source as changed. */
const notifyAsset = async (
  { db }: NotifyDeps,
  { tenantId }: NotifySubscriberMessage,
  { subscription, receivedAt }: Notification,
): Promise<Outcome> =>
  (await recordAssetChange(db, tenantId, subscription.subscriberId, receivedAt))
    ? { status: "Succeeded" }
    : { status: "Failed", error: "The asset was deleted." };

const asFailure = (error: unknown): Outcome => {
  if (error instanceof NotMapped) return { status: "Failed", error: error.message };
  throw error;
};
