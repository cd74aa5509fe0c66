import { announce } from "../../platform/outbox/announce.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { ApiKeyItem, AuditEventItem } from "./items.ts";
import { keyEvents } from "./key-event.ts";

/** Has what happened to a key, which stands in the outbox, told at once. */
export const announceKeyEvents = async (
  send: Send,
  key: ApiKeyItem,
  audit: AuditEventItem,
): Promise<void> => {
  await Promise.all(keyEvents(key, audit).map((event) => announce(send, event)));
};
