import type { Database } from "../../platform/db/database.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { type AlertName, claimAlert, markSent, releaseAlert } from "./alert-store.ts";

const markAttempts = 4;

/**
 * Tells one recipient of one event, once. Throws what `tell` throws: then they were not told, and are to be told
 * later. Where the function dies after they were told and before that is noted, they are told again.
 */
export const tellOnce = async (
  { db, clock }: { db: Database; clock: Clock },
  name: AlertName,
  tell: () => Promise<void>,
): Promise<void> => {
  const claim = await claimAlert(db, name, clock());
  if (claim === "sent") return;
  if (claim === "held") throw new Error("another function is telling this recipient");
  try {
    await tell();
  } catch (error) {
    await release(db, name);
    throw error;
  }
  await noteSent(db, name);
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
