import type { Database } from "../../platform/db/database.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import { type AlertName, claimAlert, markSent, releaseAlert } from "./alert-store.ts";

const markAttempts = 4;

/**
 * Notifies one recipient of one event once; rethrows the error of `notify` so that it is retried. A crash between
 * sending and marking it as sent repeats the notification.
 */
export const notifyOnce = async (
  { db, ...runtime }: Runtime & { db: Database },
  { name, notify }: { name: AlertName; notify: () => Promise<void> },
): Promise<void> => {
  const holder = newUuid(runtime);
  const claim = await claimAlert(db, name, { holder, now: runtime.clock() });
  if (claim === "sent") return;
  if (claim === "held") throw new Error("another function is notifying this recipient");
  try {
    await notify();
  } catch (error) {
    await release(db, name, holder);
    throw error;
  }
  await noteSent(db, name);
};

/** Best effort: otherwise the next attempt waits until the lease expires. */
const release = async (db: Database, name: AlertName, holder: string): Promise<void> => {
  try {
    await releaseAlert(db, name, holder);
  } catch (error) {
    log("notification-lease-not-released", {
      event: name.eventId,
      error: asError(error),
    });
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
