import type { Database } from "../../platform/db/database.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { deleteFromOutbox } from "../../platform/outbox/outbox-store.ts";
import type { SendMany } from "../../platform/queue/send.ts";
import type { NotifyCollaboratorMessage, NotifyDestinationMessage } from "../messages.ts";
import { findRecipients } from "./find-recipients.ts";

/** Dependencies of publishing events. `queueOther`: queues the messages of other areas about an event. */
export type PublishDeps = {
  db: Database;
  sendMany: SendMany;
  queueOther: (event: OrganizationEvent) => Promise<void>;
};

/**
 * Queues one message per recipient of an event, then deletes the event from the outbox. Idempotent: each recipient
 * is notified once.
 */
export const publishEvent = async (
  { db, sendMany, queueOther }: PublishDeps,
  event: OrganizationEvent,
): Promise<void> => {
  const { destinationIds, userIds } = await findRecipients(db, event);
  const calls = destinationIds.map(
    (destinationId): NotifyDestinationMessage => ({
      type: "notify-destination",
      event,
      destinationId,
    }),
  );
  const mails = userIds.map(
    (userId): NotifyCollaboratorMessage => ({ type: "notify-collaborator", event, userId }),
  );
  await Promise.all([
    queueOther(event),
    calls.length > 0 && sendMany("calls", event.organizationId, calls),
    mails.length > 0 && sendMany("mails", event.organizationId, mails),
  ]);
  await deleteFromOutbox(db, event.id);
};
