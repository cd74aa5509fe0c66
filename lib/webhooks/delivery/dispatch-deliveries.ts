import { AgentItem } from "../../agents/agent/store.ts";
import type { BatchCall } from "../../edge/consumer.ts";
import type { Database } from "../../platform/db/database.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey, type Key } from "../../platform/db/keys.ts";
import { forRequest } from "../../platform/runtime/request-scope.ts";
import { maxSubscriptionsPerMessage } from "../messages.ts";
import { listOpenSubscriptions, type OpenSubscriptions } from "../webhook/store.ts";
import { dispatchRound } from "./dispatch-round.ts";
import { isSubscribed } from "./is-subscribed.ts";
import { queueInParts } from "./queue-subscribers.ts";
import {
  type DeliveryFailure,
  type DispatchDeps,
  type DispatchJob,
  type ReceivedDelivery,
  toReceivedItem,
} from "./received-delivery.ts";
import { flagMoreResults, getDelivery } from "./store.ts";
import { toRounds } from "./to-rounds.ts";

/** A message of an existing webhook. */
type OpenJob = { job: DispatchJob; open: OpenSubscriptions };

/**
 * Dispatches every delivery of one tenant once to the matching subscriptions. Idempotent. Starts up to ten agents of a
 * delivery itself; other subscribers, more agents, and those of a replay are queued, ten to a message. A first dispatch
 * also ends waits of executions. Drops a delivery of a deleted webhook. Reads every agent and the subscriptions of every webhook once.
 * Returns a promise per message, which rejects if it has to be retried.
 */
export const dispatchDeliveries = (
  deps: DispatchDeps,
  { jobs, call }: { jobs: readonly DispatchJob[]; call: BatchCall },
): Promise<void>[] => {
  const dispatched = dispatchAll(deps, jobs, call);
  return jobs.map(async (job) => {
    const failed = (await dispatched).get(job);
    if (failed) throw failed.failure;
  });
};

const dispatchAll = async (
  deps: DispatchDeps,
  jobs: readonly DispatchJob[],
  call: BatchCall,
): Promise<Map<DispatchJob, DeliveryFailure>> => {
  const failures = new Map<DispatchJob, DeliveryFailure>();
  const opened = await openAll(deps.db, jobs, failures);
  const received = opened.flatMap(toReceived);
  const agents = await loadAgents(deps.db, received).catch(
    (failure: unknown): DeliveryFailure => ({
      failure,
    }),
  );
  for (const deliveries of toRounds(received)) {
    const isRead = agents instanceof Map;
    const ready = deliveries.filter(({ own }) => isRead || own.length === 0);
    if (!isRead) {
      for (const { job, own } of deliveries) if (own.length > 0) failures.set(job, agents);
    }
    const round = { deliveries: ready, agents: isRead ? agents : new Map(), call };
    for (const [job, failure] of await dispatchRound(deps, round)) failures.set(job, failure);
  }
  // After the first dispatches, one of which may be of the same delivery.
  for (const one of opened) {
    if (one.job.message.content) continue;
    await forRequest(one.job.requestId, () => dispatchReplay(deps, one)).catch((failure: unknown) =>
      failures.set(one.job, { failure }),
    );
  }
  return failures;
};

/** Reads the subscriptions of each webhook once; leaves out messages of deleted webhooks. */
const openAll = async (
  db: Database,
  jobs: readonly DispatchJob[],
  failures: Map<DispatchJob, DeliveryFailure>,
): Promise<OpenJob[]> => {
  const reads = new Map<string, Promise<OpenSubscriptions | undefined>>();
  const opened = await Promise.all(
    jobs.map(async (job): Promise<OpenJob[]> => {
      const { tenantId, webhookId } = job.message;
      const read = reads.get(webhookId) ?? listOpenSubscriptions(db, tenantId, webhookId);
      reads.set(webhookId, read);
      try {
        const open = await read;
        return open ? [{ job, open }] : [];
      } catch (failure) {
        failures.set(job, { failure });
        return [];
      }
    }),
  );
  return opened.flat();
};

const toReceived = ({ job, open: { subscriptions, awaited } }: OpenJob): ReceivedDelivery[] => {
  const { content } = job.message;
  if (!content) return [];
  const item = toReceivedItem(job.message, content);
  const wanted = subscriptions.filter((subscription) => isSubscribed(subscription, item));
  const agents = wanted.filter(({ subscriberType }) => subscriberType === "Agent");
  const own = agents.length <= maxSubscriptionsPerMessage ? agents : [];
  const queued =
    own.length === 0 ? wanted : wanted.filter((subscription) => !own.includes(subscription));
  return [{ job, item, signedBody: content.signedBody, own, queued, awaited }];
};

/** Reads the agents that deliveries of a tenant start, by id. */
const loadAgents = async (
  db: Database,
  deliveries: readonly ReceivedDelivery[],
): Promise<Map<string, AgentItem>> => {
  const keys = deliveries.flatMap(({ job: { message }, own }) =>
    own.map(({ subscriberId }): [string, Key] => [
      subscriberId,
      agentKey(message.tenantId, subscriberId),
    ]),
  );
  const found = Object.entries(await getNamedItems(db, Object.fromEntries(keys)));
  return new Map(found.flatMap(([id, agent]) => (agent ? [[id, AgentItem.parse(agent)]] : [])));
};

/** Queues the subscribers of a stored delivery again. */
const dispatchReplay = async (
  { db, sendMany }: DispatchDeps,
  { job: { message }, open: { subscriptions } }: OpenJob,
): Promise<void> => {
  const { tenantId, webhookId, id, subscriptionId } = message;
  const delivery = await getDelivery(db, tenantId, webhookId, id);
  if (!delivery) return;
  const wanted = subscriptions.filter((subscription) =>
    isSubscribed(subscription, delivery, subscriptionId),
  );
  if (wanted.length > 0) await flagMoreResults(db, delivery);
  await queueInParts(sendMany, message, wanted);
};
