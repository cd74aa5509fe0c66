import { isJsonObject } from "../../values/json/json.ts";
import type { ChatProvider, ReadMessage } from "../../vendors/chat-provider.ts";
import {
  type GenericProblems,
  readGenericMessage,
} from "../../vendors/shared/chat/generic-message.ts";
import type { SubscriptionItem } from "../webhook/items.ts";
import { type DeliveredEvent, evaluate, type Mapping, NotMapped } from "./map-event.ts";

/** A delivery and its subscription; `id` is the delivery's. */
type Delivered = { subscription: SubscriptionItem; event: DeliveredEvent; id: string };

/**
 * Reads the messages of a delivery for a connector: the one mapped by the subscription's input, else those the
 * provider parses from the payload. Throws NotMapped.
 */
export const readDeliveryMessages = async (
  provider: ChatProvider,
  delivered: Delivered,
  mapping: Mapping,
): Promise<readonly ReadMessage[]> => {
  const { subscription, event } = delivered;
  if (subscription.input !== null) return [await mapMessage(provider, delivered, mapping)];
  const problems = provider.findProblems?.(event.payload) ?? [];
  if (problems.length > 0) throw notMessage("payload", problems);
  return provider.readMessages(event.payload);
};

/** A message without an id uses the delivery's; `repetition` keeps it distinct between subscriptions. */
const mapMessage = async (
  provider: ChatProvider,
  { subscription, event, id }: Delivered,
  mapping: Mapping,
): Promise<ReadMessage> => {
  const value = await evaluate("input", subscription.input, event, mapping);
  if (!isJsonObject(value)) {
    throw new NotMapped(
      "The subscription's input does not return an object {user, conversation, text}.",
    );
  }
  const hasId = value.id !== undefined && value.id !== null;
  const read = readGenericMessage(hasId ? value : { ...value, id });
  if ("problems" in read) throw notMessage("subscription's input", read.problems);
  const replyTo = provider.buildReplyTo?.(read.message.conversation.id);
  if (!replyTo) {
    const { displayName } = provider;
    throw new NotMapped(`A connector of ${displayName} cannot reply to this conversation.id.`);
  }
  return { ...read.message, replyTo, ...(!hasId && { repetition: subscription.id }) };
};

const notMessage = (what: string, problems: GenericProblems): NotMapped => {
  const places = problems.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; ");
  return new NotMapped(`The ${what} is not a message {id, user, conversation, text}: ${places}.`);
};
