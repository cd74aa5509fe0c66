import { AgentItem } from "../../agents/agent/store.ts";
import type { StartDeps } from "../../executions/start/start-execution.ts";
import type { Database } from "../../platform/db/database.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey, type Key } from "../../platform/db/keys.ts";
import { fromQueued } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { SendMany } from "../../platform/queue/send.ts";
import {
  type DispatchDeliveryMessage,
  type MatchWaitsMessage,
  maxSubscriptionsPerMessage,
  type NotifySubscribersMessage,
} from "../messages.ts";
import type { DeliveryItem, SubscriptionItem } from "../webhook/items.ts";
import { listOpenSubscriptions, type OpenSubscriptions } from "../webhook/store.ts";
import { claimSignedDelivery } from "./claim-signed-delivery.ts";
import {
  type AgentOutcome,
  type AgentSubscriber,
  evaluateAgent,
  loadEvent,
} from "./evaluate-agent.ts";
import { type Evaluated, evaluateTogether, type TogetherDeps } from "./evaluate-together.ts";
import { isSubscribed } from "./is-subscribed.ts";
import { notifySingly, startAgents, toTarget } from "./start-agents.ts";
import { claimDelivery, flagMoreResults, getDelivery, type StoredDelivery } from "./store.ts";

/** Dependencies of dispatching a delivery. */
export type DispatchDeps = StartDeps & Pick<TogetherDeps, "sleep"> & { sendMany: SendMany };

/**
 * Dispatches a delivery to the matching subscriptions. Idempotent. Starts up to ten agents itself;
 * other subscribers, more agents, and those of a replay are queued, ten to a message. A first dispatch
 * also ends waits of executions. Drops a delivery of a deleted webhook.
 * @param input `attempt`: number of this attempt, from 1
 */
export const dispatchDelivery = async (
  deps: DispatchDeps,
  { message, attempt }: { message: DispatchDeliveryMessage; attempt: number },
): Promise<void> => {
  const { db } = deps;
  const { tenantId, webhookId, id } = message;
  const open = await listOpenSubscriptions(db, tenantId, webhookId);
  if (!open) return;
  if (message.content) {
    const received = toItem(message, message.content);
    await dispatchReceived(deps, message, received, { ...open, attempt });
    return;
  }
  const delivery = await getDelivery(db, tenantId, webhookId, id);
  if (!delivery) return;
  const wanted = open.subscriptions.filter((subscription) =>
    isSubscribed(subscription, delivery, message.subscriptionId),
  );
  if (wanted.length > 0) await flagMoreResults(db, delivery);
  await queueInParts(deps.sendMany, message, wanted);
};

const toItem = (
  { webhookId, id }: DispatchDeliveryMessage,
  content: NonNullable<DispatchDeliveryMessage["content"]>,
): DeliveryItem => ({
  id,
  webhookId,
  provider: content.provider,
  eventType: content.eventType,
  deliveryId: content.deliveryId,
  receivedAt: content.receivedAt,
  size: content.size,
  headers: content.headers,
  payload: fromQueued(content.payload),
  keptAs: content.keptAs,
  bodyObject: content.bodyObject,
  signatureHeaders: content.signatureHeaders,
  status: "Dispatched",
  ttl: content.ttl,
  attempts: 1,
  targets: [],
  parts: 0,
  hasMoreResults: false,
});

/**
 * Stores a received delivery once, together with the outcomes of filters and mappings, and then starts its agents: a
 * repeated message finds it stored and continues with the subscriptions that it names.
 */
const dispatchReceived = async (
  deps: DispatchDeps,
  message: DispatchDeliveryMessage,
  received: DeliveryItem,
  { subscriptions, awaited, attempt }: OpenSubscriptions & { attempt: number },
): Promise<void> => {
  const { db, sendMany } = deps;
  const { tenantId } = message;
  const wanted = subscriptions.filter((subscription) => isSubscribed(subscription, received));
  const agents = wanted.filter(({ subscriberType }) => subscriberType === "Agent");
  const own = agents.length <= maxSubscriptionsPerMessage ? agents : [];
  const queued =
    own.length === 0 ? wanted : wanted.filter((subscription) => !own.includes(subscription));
  const subscribers = await loadAgents(db, tenantId, own);
  const evaluated = await evaluateAll(deps, message, received, subscribers);
  const item = {
    ...received,
    attempts: attempt,
    targets: evaluated.map(toTarget),
    parts: Math.ceil(queued.length / maxSubscriptionsPerMessage),
  };
  const { signedBody } = message.content ?? {};
  const { outcome, delivery } = await (signedBody === undefined
    ? claimDelivery(db, tenantId, item)
    : claimSignedDelivery(db, tenantId, item, signedBody));
  if (outcome === "duplicate") return;
  await Promise.all([
    queueInParts(sendMany, message, queued),
    queueMatch(deps, message, awaited),
    start(deps, message, delivery, { evaluated, isRepeated: attempt > 1 }),
  ]);
};

/** Reads the agents of subscriptions. */
const loadAgents = async (
  db: Database,
  tenantId: TenantId,
  subscriptions: readonly SubscriptionItem[],
): Promise<AgentSubscriber[]> => {
  const keys = subscriptions.map(({ subscriberId }): [string, Key] => [
    subscriberId,
    agentKey(tenantId, subscriberId),
  ]);
  const found = await getNamedItems(db, Object.fromEntries(keys));
  return subscriptions.map((subscription) => {
    const agent = found[subscription.subscriberId];
    return { subscription, agent: agent && AgentItem.parse(agent) };
  });
};

const evaluateAll = async (
  deps: DispatchDeps,
  message: DispatchDeliveryMessage,
  received: DeliveryItem,
  subscribers: readonly AgentSubscriber[],
): Promise<Evaluated<AgentOutcome>[]> => {
  if (subscribers.length === 0) return [];
  const event = await loadEvent(deps, received);
  return evaluateTogether(deps, {
    tenantId: message.tenantId,
    all: subscribers,
    evaluate: (subscriber, mapping) =>
      evaluateAgent(deps, { message, ...subscriber, event, mapping }),
  });
};

/** Starts the agents that a stored delivery names; those that cannot be started now are notified singly. */
const start = async (
  deps: DispatchDeps,
  message: DispatchDeliveryMessage,
  { targets }: StoredDelivery,
  { evaluated, isRepeated }: { evaluated: readonly Evaluated<AgentOutcome>[]; isRepeated: boolean },
): Promise<void> => {
  const named = targets.flatMap(({ subscriptionId, status }) =>
    status === undefined ? [subscriptionId] : [],
  );
  const startable = evaluated.filter(
    ({ subscription, outcome }) =>
      named.includes(subscription.id) && outcome !== "open" && "request" in outcome,
  );
  const ready = new Set(startable.map(({ subscription }) => subscription.id));
  const failed = await startAgents(deps, { message, evaluated: startable, isRepeated });
  const others = named.filter((id) => !ready.has(id));
  await notifySingly(deps.sendMany, message, [...others, ...failed]);
};

/** Queues the waits of executions that the stored delivery may end; none without the mark of the webhook. */
const queueMatch = async (
  { send }: Pick<DispatchDeps, "send">,
  { tenantId, webhookId, id }: DispatchDeliveryMessage,
  awaited: string | undefined,
): Promise<void> => {
  if (awaited === undefined) return;
  const message: MatchWaitsMessage = { type: "match-waits", tenantId, webhookId, id, awaited };
  await send("subscribers", tenantId, message);
};

/** Queues subscribers to be notified together, ten to a message. */
const queueInParts = async (
  sendMany: SendMany,
  { tenantId, webhookId, id, replayId }: DispatchDeliveryMessage,
  subscriptions: readonly SubscriptionItem[],
): Promise<void> => {
  const count = Math.ceil(subscriptions.length / maxSubscriptionsPerMessage);
  const messages = Array.from({ length: count }, (_, at): NotifySubscribersMessage => {
    const start = at * maxSubscriptionsPerMessage;
    const members = subscriptions.slice(start, start + maxSubscriptionsPerMessage);
    return {
      type: "notify-subscribers",
      tenantId,
      webhookId,
      id,
      ...(replayId !== undefined && { replayId }),
      subscriptions: members.map((subscription) => ({
        id: subscription.id,
        agentId: subscription.subscriberType === "Agent" ? subscription.subscriberId : null,
      })),
      part: at + 1,
    };
  });
  if (messages.length > 0) await sendMany("subscribers", tenantId, messages);
};
