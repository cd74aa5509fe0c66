import type { Database } from "../db/database.ts";
import type { CallDeps } from "../event-destination/call-destination.ts";
import type { DeliverAlertMessage } from "../queue/messages.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import { type AlertName, claimAlert, markSent, releaseAlert } from "./alert-store.ts";
import { planCall } from "./plan-call.ts";
import { planMail } from "./plan-mail.ts";
import type { SendMail } from "./send-mail.ts";

/** What telling a recipient needs. */
export type AlertDeps = CallDeps & { db: Database; sendMail: SendMail };

/** How a recipient is told, and under which name it is noted that they were. Rejects when they were not. */
export type PlannedAlert = { recipient: string; tell: () => Promise<void> };

const markAttempts = 4;

/**
 * Tells one recipient of one event, once: by the mail or the call that they want now, if they still do. Throws
 * when they could not be told, and are to be told later. Where the function dies after they were told and
 * before that is noted, they are told again; a destination then sees the same `webhook-id`.
 */
export const deliverAlert = async (
  deps: AlertDeps,
  { event, recipient }: Pick<DeliverAlertMessage, "event" | "recipient">,
): Promise<void> => {
  const planned =
    recipient.type === "destination"
      ? await planCall(deps, event, recipient.id)
      : await planMail(deps, event, recipient.userId);
  if (!planned) return;
  const name = { eventId: event.id, recipient: planned.recipient };
  const claim = await claimAlert(deps.db, name, deps.clock());
  if (claim === "sent") return;
  if (claim === "held") throw new Error("another function is telling this recipient");
  try {
    await planned.tell();
  } catch (error) {
    await release(deps.db, name);
    throw error;
  }
  await noteSent(deps.db, name);
};

/** Without this the next attempt waits for the lease's end. */
const release = async (db: Database, name: AlertName): Promise<void> => {
  try {
    await releaseAlert(db, name);
  } catch (error) {
    log().warn("an alert could not be let go", { event: name.eventId, error: asError(error) });
  }
};

const noteSent = async (db: Database, name: AlertName): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await markSent(db, name);
    } catch (error) {
      if (attempt === markAttempts) throw error;
    }
  }
};
