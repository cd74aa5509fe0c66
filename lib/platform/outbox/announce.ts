import type { Send } from "../queue/send.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import type { OrganizationEvent } from "./organization-event.ts";

/**
 * Has an event that stands in the outbox told at once. One that cannot be sent now is found in the outbox by
 * the next sweep, so this never fails.
 */
export const announce = async (send: Send, event: OrganizationEvent): Promise<void> => {
  try {
    await send("events", event.organizationId, { type: "tell-event", event });
  } catch (error) {
    log().warn("an event waits in the outbox", { event: event.id, error: asError(error) });
  }
};
