import type { EventTypes } from "../event-types.ts";
import { eventTypes as vendorEventTypes } from "./event-types.ts";

const byProvider: ReadonlyMap<string, EventTypes> = new Map(Object.entries(vendorEventTypes));

/** Returns the event types of a provider; undefined for one that has its senders' own. */
export const findEventTypes = (providerId: string): EventTypes | undefined =>
  byProvider.get(providerId);
