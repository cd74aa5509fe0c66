import { getConnector } from "../../chat/connector/store.ts";
import { queueMessages } from "../../chat/conversation/queue-messages.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import type { ReadMessage } from "../../vendors/chat-provider.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import type { DeliveryTarget, SubscriptionItem } from "../webhook/items.ts";
import type { Dispatch } from "./evaluate-agent.ts";
import { type DeliveredEvent, type Mapping, readEventTrace } from "./map-event.ts";
import { readDeliveryMessages } from "./read-messages.ts";
import { startedId } from "./started-id.ts";

type Outcome = Pick<DeliveryTarget, "status" | "error">;

/**
 * Queues the messages of a delivery for a connector, as if they had arrived at its own address. Idempotent. Throws
 * NotMapped.
 */
export const notifyConnector = async (
  { db, send, files }: { db: Database; send: Send; files: Pick<FileStorage, "objects"> },
  {
    dispatch,
    subscription,
    event,
    receivedAt,
    mapping,
  }: {
    dispatch: Dispatch;
    subscription: SubscriptionItem;
    event: DeliveredEvent;
    receivedAt: number;
    mapping: Mapping;
  },
): Promise<Outcome> => {
  const { tenantId, id, replayId } = dispatch;
  const [tenant, connector] = await Promise.all([
    findOwner(db, tenantId, receivedAt),
    getConnector(db, tenantId, subscription.subscriberId),
  ]);
  if (!tenant || !connector) return { status: "Failed", error: "The connector was deleted." };
  if (!connector.active) return { status: "Failed", error: "The connector is not active." };
  const provider = chatProvider(connector.provider);
  const messages = await readDeliveryMessages(provider, { subscription, event, id }, mapping);
  const queued = await queueMessages(
    { db, send, files },
    {
      tenant,
      connectorId: connector.id,
      messages: replayId === undefined ? messages : messages.map(asRepetition(replayId)),
      traceContext: readEventTrace(event),
      receivedAt: replayId === undefined ? receivedAt : parseUuidTime(replayId),
      messageIdFor: (at) => startedId({ id, subscriptionId: subscription.id, replayId }, at),
    },
  );
  if (queued > 0) return { status: "Succeeded" };
  const error = `The payload contains no message for a connector of ${provider.displayName}.`;
  return { status: "Skipped", error };
};

/** Marks the messages of a replay, so that they get another reply. */
const asRepetition =
  (replayId: string) =>
  (message: ReadMessage): ReadMessage => ({
    ...message,
    repetition: [message.repetition ?? "", replayId].join("/"),
  });
