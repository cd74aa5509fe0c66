import * as z from "zod";
import { SealedValue } from "../../platform/db/seal.ts";
import { eventTypes } from "../../platform/outbox/organization-event.ts";
import { EventDestination } from "./schemas.ts";

/** An event destination as it is stored. */
export const EventDestinationItem = EventDestination.omit({ signingSecret: true }).extend({
  organizationId: z.string(),
  /** Types that this release does not know are passed over, so that a roll-back of a release stops nobody's work. */
  eventTypes: z
    .array(z.string())
    .transform((types) => eventTypes.filter((type) => types.includes(type))),
  secret: SealedValue,
  /** The secret before the last rotation, which signs too until then (Unix milliseconds). */
  previousSecret: z.object({ secret: SealedValue, until: z.int() }).nullable(),
});
export type EventDestinationItem = z.output<typeof EventDestinationItem>;
