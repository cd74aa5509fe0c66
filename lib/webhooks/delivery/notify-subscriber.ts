import { getAgent } from "../../agents/agent/store.ts";
import { withWorker } from "../../executions/start/plan-start.ts";
import { type StartDeps, startExecution } from "../../executions/start/start-execution.ts";
import { toSessionRefusal } from "../../executions/start/start-triggered.ts";
import type { NotifySubscriberMessage } from "../messages.ts";
import type { DeliveryItem, DeliveryTarget, SubscriptionItem } from "../webhook/items.ts";
import { getSubscription, getWebhook } from "../webhook/store.ts";
import { evaluateAgent, loadEvent } from "./evaluate-agent.ts";
import { evaluateAlone } from "./evaluate-together.ts";
import { notifyOther } from "./notify-other.ts";
import { putResults } from "./result-store.ts";
import { flagMoreResults, getDelivery } from "./store.ts";

/**
 * Notifies a single subscriber of a delivery, once: starts the agent's execution, queues the
 * connector's messages or marks the asset as changed. Saves a refusal as the result without a
 * retry; throws storage failures.
 * @param input `attempt`: number of this attempt, from 1
 */
export const notifySubscriber = async (
  deps: StartDeps,
  { message, attempt }: { message: NotifySubscriberMessage; attempt: number },
): Promise<void> => {
  const { db } = deps;
  const { tenantId, webhookId, id, subscriptionId, replayId = null } = message;
  const [webhook, subscription, delivery] = await Promise.all([
    getWebhook(db, tenantId, webhookId),
    getSubscription(db, tenantId, webhookId, subscriptionId),
    getDelivery(db, tenantId, webhookId, id),
  ]);
  if (!webhook || !delivery) return;
  const outcome = subscription
    ? await notify(deps, message, subscription, delivery)
    : { status: "Failed" as const, error: "The subscription was deleted." };
  const name = { id, ttl: delivery.ttl, replayId, part: { subscriptionId } };
  const targets = [{ subscriptionId, ...outcome }];
  await putResults(db, { tenantId, webhookId }, name, { attempts: attempt, targets });
  await flagMoreResults(db, delivery);
};

const notify = async (
  deps: StartDeps,
  message: NotifySubscriberMessage,
  subscription: SubscriptionItem,
  delivery: DeliveryItem,
): Promise<Omit<DeliveryTarget, "subscriptionId">> => {
  const event = await loadEvent(deps, delivery);
  return evaluateAlone(deps.runtime.clock, message.tenantId, async (mapping) => {
    if (subscription.subscriberType !== "Agent") {
      const { receivedAt } = delivery;
      return notifyOther(deps, {
        dispatch: message,
        notification: { subscription, event, receivedAt, mapping },
      });
    }
    const agent = await getAgent(deps.db, message.tenantId, subscription.subscriberId);
    const subscribed = { message, subscription, agent, event, mapping };
    const outcome = await evaluateAgent(deps, { ...subscribed, isAlone: true });
    if (outcome === "open") throw new Error("a subscription that is evaluated alone is open");
    if (!("plan" in outcome)) return outcome;
    const { plan } = outcome;
    const toStarted = () => ({ agentId: plan.start.agentId });
    return startExecution(deps, withWorker(plan)).then(toStarted, (error: unknown) => ({
      status: "Failed",
      error: toSessionRefusal(error).detail,
    }));
  });
};
