import type { Send } from "../queue/send.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import type { OrganizationEvent } from "./organization-event.ts";

/** Queues an event of the outbox immediately. Never throws: the next sweep retries a failure. */
export const enqueueEvent = async (send: Send, event: OrganizationEvent): Promise<void> => {
  try {
    await send("events", event.organizationId, { type: "publish-event", event });
  } catch (error) {
    log("event-not-queued", {
      event: event.id,
      error: asError(error),
    });
  }
};
