import {
  type OrganizationEvent,
  traceEventType,
} from "../../platform/outbox/organization-event.ts";
import type { EventDestinationItem } from "./items.ts";

/** Returns the types of the events that a destination receives: an OTLP destination receives traces alone. */
export const subscribedTypes = ({
  type,
  eventTypes,
}: Pick<EventDestinationItem, "type" | "eventTypes">): readonly OrganizationEvent["type"][] =>
  type === "otlp" ? [traceEventType] : eventTypes;
