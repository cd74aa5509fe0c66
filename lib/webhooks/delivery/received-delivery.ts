import type { AgentItem } from "../../agents/agent/store.ts";
import type { BatchCall, BatchJob } from "../../edge/consumer.ts";
import type { ComputingDeps } from "../../executions/run/run-together.ts";
import { fromQueued } from "../../platform/db/large-value.ts";
import type { SendMany } from "../../platform/queue/send.ts";
import type { DispatchDeliveryMessage } from "../messages.ts";
import type { DeliveryItem, SubscriptionItem } from "../webhook/items.ts";

/** Dependencies of dispatching deliveries. */
export type DispatchDeps = ComputingDeps & { sendMany: SendMany };

/** A message of a batch. */
export type DispatchJob = BatchJob<DispatchDeliveryMessage>;

/** A received delivery of a batch, with what was read for it. */
export type ReceivedDelivery = {
  job: DispatchJob;
  item: DeliveryItem;
  signedBody: string | undefined;
  /** Subscriptions of agents that its dispatch starts itself. */
  own: readonly SubscriptionItem[];
  /** Subscriptions that are queued. */
  queued: readonly SubscriptionItem[];
  /** Token of the mark that executions wait for events of its webhook; undefined for none. */
  awaited: string | undefined;
};

/** Deliveries of one tenant that are dispatched together, and the agents of the tenant's batch by id. */
export type DispatchRound = {
  deliveries: readonly ReceivedDelivery[];
  agents: ReadonlyMap<string, AgentItem>;
  call: BatchCall;
};

/** A failure of a delivery, after which its message is retried. */
export type DeliveryFailure = { failure: unknown };

/** Returns a delivery as it was received, before its dispatch. */
export const toReceivedItem = (
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
