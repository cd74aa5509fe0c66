import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { ApiKeyItem, AuditEventItem } from "./items.ts";
import { keyEvents } from "./key-event.ts";

/** Publishes a key's events from the outbox immediately. */
export const enqueueKeyEvents = async (
  send: Send,
  key: ApiKeyItem,
  audit: AuditEventItem,
): Promise<void> => {
  await Promise.all(keyEvents(key, audit).map((event) => enqueueEvent(send, event)));
};
