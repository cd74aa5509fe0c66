import type { Database } from "../db/database.ts";
import type { Send } from "../queue/send.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import type { Clock } from "../runtime/runtime.ts";
import { OrganizationEvent } from "./organization-event.ts";
import { listOutbox, noteResend, type StandingEvent } from "./outbox-store.ts";

const minuteMs = 60_000;
const atOnce = 20;
/** Over a day: by then its messages are dead letters, which the operator redrives. */
const mostSends = 30;

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
  const standing = await listOutbox(db);
  const readable = standing.filter((each) => each !== null);
  if (readable.length < standing.length) {
    const count = standing.length - readable.length;
    log().error("events in the outbox cannot be read by this release", { count });
  }
  const due = readable.filter(
    ({ occurredAt, resendAt, sends }) =>
      sends < mostSends && (resendAt ?? occurredAt + minuteMs) <= now,
  );
  let sent = 0;
  const resend = async (standing: StandingEvent): Promise<void> => {
    try {
      if (!(await noteResend(db, standing, now + resendAfterMs(standing.sends + 1)))) return;
      const event = OrganizationEvent.parse(standing);
      await send("events", event.organizationId, { type: "tell-event", event });
      sent += 1;
    } catch (error) {
      log().error("an event could not be sent again", {
        event: standing.id,
        error: asError(error),
      });
    }
  };
  for (let start = 0; start < due.length; start += atOnce) {
    await Promise.all(due.slice(start, start + atOnce).map(resend));
  }
  return sent;
};
