import type { Database } from "../db/database.ts";
import type { OrganizationEvent } from "../event/organization-event.ts";
import { deleteFromOutbox } from "../event/outbox-store.ts";
import type { DeliverAlertMessage } from "../queue/messages.ts";
import type { SendMany } from "../queue/send.ts";
import { findRecipients } from "./find-recipients.ts";

/**
 * Has everybody told who wants to hear of an event, each by a message of their own; then it need not stand in
 * the outbox any more. Safe to repeat: a recipient is told once.
 */
export const tellEvent = async (
  { db, sendMany }: { db: Database; sendMany: SendMany },
  event: OrganizationEvent,
): Promise<void> => {
  const recipients = await findRecipients(db, event);
  const messages = recipients.map(
    (recipient): DeliverAlertMessage => ({ type: "deliver-alert", event, recipient }),
  );
  if (messages.length > 0) await sendMany("alerts", event.organizationId, messages);
  await deleteFromOutbox(db, event.id);
};
