import type { Send } from "../queue/send.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import type { OrganizationEvent } from "./organization-event.ts";

/** Publishes an event of the outbox at once. Never fails: the next sweep sends what could not be sent. */
export const enqueueEvent = async (send: Send, event: OrganizationEvent): Promise<void> => {
  try {
    await send("events", event.organizationId, { type: "tell-event", event });
  } catch (error) {
    log().warn("an event waits in the outbox", { event: event.id, error: asError(error) });
  }
};
