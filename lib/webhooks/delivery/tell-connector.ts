import { getConnector } from "../../chat/connector/store.ts";
import { queueMessages } from "../../chat/conversation/queue-messages.ts";
import { chatProvider } from "../../chat/providers/index.ts";
import type { ReadMessage } from "../../chat/providers/provider.ts";
import type { Database } from "../../platform/db/database.ts";
import type { NotifySubscriberMessage } from "../../platform/queue/messages.ts";
import type { Send } from "../../platform/queue/send.ts";
import { timeOfUuid } from "../../platform/runtime/runtime.ts";
import { ownerOf } from "../../tenancy/tenant/owner-of.ts";
import type { SubscriptionItem } from "../webhook/items.ts";
import type { DeliveryResult } from "../webhook/schemas.ts";
import { begunId } from "./begun-id.ts";
import type { DeliveredEvent, Mapping } from "./map-event.ts";
import { readSaid } from "./read-said.ts";

type Outcome = Pick<DeliveryResult, "status"> & Partial<Pick<DeliveryResult, "error">>;

/**
 * Has a connector answer what a delivery says, as if it had come to the connector's own address: what its
 * provider reads in the payload, or else what the subscription's input makes of it. Safe to repeat. Throws
 * NotMapped.
 */
export const tellConnector = async (
  { db, send }: { db: Database; send: Send },
  message: NotifySubscriberMessage,
  {
    subscription,
    event,
    receivedAt,
    mapping,
  }: {
    subscription: SubscriptionItem;
    event: DeliveredEvent;
    receivedAt: number;
    mapping: Mapping;
  },
): Promise<Outcome> => {
  const { tenantId, id, replayId } = message;
  const [tenant, connector] = await Promise.all([
    ownerOf(db, tenantId),
    getConnector(db, tenantId, subscription.subscriberId),
  ]);
  if (!tenant || !connector) return { status: "Failed", error: "The connector was deleted." };
  if (!connector.active) return { status: "Failed", error: "The connector is not active." };
  const provider = chatProvider(connector.provider);
  const said = await readSaid(provider, { subscription, event, id }, mapping);
  const queued = await queueMessages(send, {
    tenant,
    connectorId: connector.id,
    messages: replayId === undefined ? said : said.map(asRepetition(replayId)),
    receivedAt: replayId === undefined ? receivedAt : timeOfUuid(replayId),
    idOf: (at) => begunId(message, at),
  });
  if (queued > 0) return { status: "Succeeded" };
  const error = `The payload holds no message for a connector of ${provider.displayName}.`;
  return { status: "Skipped", error };
};

/** A replay is to be answered again, so what it says is told from what was said before. */
const asRepetition =
  (replayId: string) =>
  (message: ReadMessage): ReadMessage => ({
    ...message,
    repetition: [message.repetition ?? "", replayId].join("/"),
  });
