import type { Database } from "../db/database.ts";
import type { Send } from "../queue/send.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import type { Clock } from "../runtime/runtime.ts";
import { OrganizationEvent } from "./organization-event.ts";
import { listOutbox, noteResend, type OutboxEvent } from "./outbox-store.ts";

const minuteMs = 60_000;
const atOnce = 20;
/** Over a day: by then its messages are dead letters, which the operator redrives. */
const maxSends = 30;

/** Returns one minute, then two, four, …, at most an hour. */
const resendAfterMs = (sends: number): number => minuteMs * Math.min(60, 2 ** sends);

/**
 * Resends the events that have been in the outbox for over a minute, and returns their number. Safe to run
 * concurrently.
 */
export const sweepOutbox = async ({
  db,
  send,
  clock,
}: {
  db: Database;
  send: Send;
  clock: Clock;
}): Promise<number> => {
  const now = clock();
  const events = await listOutbox(db);
  const readable = events.filter((event) => event !== null);
  if (readable.length < events.length) {
    const count = events.length - readable.length;
    log("outbox-unreadable", { count });
  }
  const due = readable.filter(
    ({ occurredAt, resendAt, sends }) =>
      sends < maxSends && (resendAt ?? occurredAt + minuteMs) <= now,
  );
  let sent = 0;
  const resend = async (outboxEvent: OutboxEvent): Promise<void> => {
    try {
      if (!(await noteResend(db, outboxEvent, now + resendAfterMs(outboxEvent.sends + 1)))) return;
      const event = OrganizationEvent.parse(outboxEvent);
      await send("events", event.organizationId, { type: "publish-event", event });
      sent += 1;
    } catch (error) {
      log("event-not-resent", {
        event: outboxEvent.id,
        error: asError(error),
      });
    }
  };
  for (let start = 0; start < due.length; start += atOnce) {
    await Promise.all(due.slice(start, start + atOnce).map(resend));
  }
  return sent;
};
