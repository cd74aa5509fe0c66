import { AgentItem } from "../../agents/agent/store.ts";
import type { Receipt } from "../../edge/consumer.ts";
import type { Database } from "../../platform/db/database.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey, type Key, webhookKey } from "../../platform/db/keys.ts";
import { deliveryKey, subscriptionKey } from "../keys.ts";
import type { NotifySubscribersMessage } from "../messages.ts";
import type { DeliveryTarget, SubscriptionItem } from "../webhook/items.ts";
import { StoredSubscription } from "../webhook/store.ts";
import { type AgentSubscriber, evaluateAgent, loadEvent } from "./evaluate-agent.ts";
import { type Evaluated, evaluateTogether } from "./evaluate-together.ts";
import { notifyOther } from "./notify-other.ts";
import type { DispatchDeps } from "./received-delivery.ts";
import { putResults } from "./result-store.ts";
import { notifySingly, startAgents, toTarget } from "./start-agents.ts";
import { flagMoreResults, getDelivery, StoredDelivery } from "./store.ts";

/**
 * Notifies the subscribers of a part of a dispatch, and stores their results together. Idempotent.
 * Subscribers that fail or take too long are notified again separately.
 * @param input `attempt`: number of this attempt, from 1. `deadline`: when the function times out, Unix milliseconds
 */
export const notifySubscribers = async (
  deps: DispatchDeps,
  { message, attempt, deadline }: { message: NotifySubscribersMessage } & Receipt,
): Promise<void> => {
  const { db } = deps;
  const { tenantId, webhookId, id, replayId = null, part } = message;
  const loaded = await load(db, message);
  if (!loaded) return;
  const { delivery, agents, others } = loaded;
  const { receivedAt, ttl } = delivery;
  const event = await loadEvent(deps, delivery);
  const ofAgents = await evaluateTogether(deps, {
    tenantId,
    all: agents,
    evaluate: (subscriber, mapping) =>
      evaluateAgent(deps, { message, ...subscriber, event, mapping }),
  });
  const failed = await startAgents(deps, {
    tenantId,
    starts: [{ evaluated: ofAgents, isRepeated: attempt > 1 }],
    call: { deadline, inTurn: (work) => work() },
  });
  const ofOthers = await evaluateTogether(deps, {
    tenantId,
    all: others,
    evaluate: ({ subscription }, mapping) =>
      notifyOther(deps, {
        dispatch: message,
        notification: { subscription, event, receivedAt, mapping },
      }),
  });
  const targets = [...ofAgents.map(toTarget), ...ofOthers.map(toOtherTarget)];
  const name = { id, ttl, replayId, part };
  await putResults(db, { tenantId, webhookId }, name, { attempts: attempt, targets });
  // Another version, or another attempt that read fewer subscriptions, stored the delivery without this part.
  if (part > delivery.parts) await flagMoreResults(db, delivery);
  const open = [...ofAgents, ...ofOthers].filter(({ outcome }) => outcome === "open");
  await notifySingly(deps.sendMany, message, [
    ...open.map(({ subscription }) => subscription.id),
    ...failed.flat(),
  ]);
};

const toOtherTarget = ({
  subscription,
  outcome,
}: Evaluated<Pick<DeliveryTarget, "status" | "error">>): DeliveryTarget => ({
  subscriptionId: subscription.id,
  ...(outcome !== "open" && outcome),
});

type Loaded = {
  delivery: StoredDelivery;
  agents: AgentSubscriber[];
  others: { subscription: SubscriptionItem }[];
};

/** Reads all that a message names in one round trip; undefined when its webhook was deleted. */
const load = async (
  db: Database,
  { tenantId, webhookId, id, subscriptions }: NotifySubscribersMessage,
): Promise<Loaded | undefined> => {
  const keys = new Map<string, Key>([
    ["webhook", webhookKey(tenantId, webhookId)],
    ["delivery", deliveryKey(tenantId, webhookId, id)],
  ]);
  for (const { id: subscriptionId, agentId } of subscriptions) {
    keys.set(
      `subscription ${subscriptionId}`,
      subscriptionKey(tenantId, webhookId, subscriptionId),
    );
    if (agentId !== null) keys.set(`agent ${agentId}`, agentKey(tenantId, agentId));
  }
  const found = await getNamedItems(db, Object.fromEntries(keys));
  if (!found.webhook) return undefined;
  const first = found.delivery && StoredDelivery.parse(found.delivery);
  const delivery = first?.id === id ? first : await getDelivery(db, tenantId, webhookId, id);
  if (!delivery) return undefined;
  const agents: AgentSubscriber[] = [];
  const others: { subscription: SubscriptionItem }[] = [];
  for (const { id: subscriptionId, agentId } of subscriptions) {
    const item = found[`subscription ${subscriptionId}`];
    if (!item) continue;
    const subscription = StoredSubscription.parse(item);
    const agent = found[`agent ${agentId}`];
    if (agentId === null) others.push({ subscription });
    else agents.push({ subscription, agent: agent && AgentItem.parse(agent) });
  }
  return { delivery, agents, others };
};
