import * as z from "zod";
import { SealedValue } from "../db/seal.ts";
import { EventDestination } from "./schemas.ts";

/** An event destination as it is stored. */
export const EventDestinationItem = EventDestination.omit({ signingSecret: true }).extend({
  organizationId: z.string(),
  secret: SealedValue,
  /** The secret before the last rotation, which signs too until then (Unix milliseconds). */
  previousSecret: z.object({ secret: SealedValue, until: z.int() }).nullable(),
});
export type EventDestinationItem = z.output<typeof EventDestinationItem>;
