import * as z from "zod";
import { SealedValue } from "../../platform/db/seal.ts";
import { organizationEventTypes } from "../../platform/outbox/organization-event.ts";
import { EventDestination } from "./schemas.ts";

/** An event destination as it is stored. */
export const EventDestinationItem = EventDestination.omit({
  signingSecret: true,
  endpoint: true,
}).extend({
  organizationId: z.string(),
  /** Drops unknown types, so that rolling back a release does not break reading. */
  eventTypes: z
    .array(z.string())
    .transform((types) => organizationEventTypes.filter((type) => types.includes(type))),
  /** Headers of an OTLP destination by name; null for none. */
  headers: SealedValue.nullable(),
  secret: SealedValue,
  /** The secret before the last rotation; also signs until `until` (Unix milliseconds). */
  previousSecret: z.object({ secret: SealedValue, until: z.int() }).nullable(),
});
export type EventDestinationItem = z.output<typeof EventDestinationItem>;
