import { withoutCompanions } from "../platform/db/companion-writes.ts";
import type { Database } from "../platform/db/database.ts";
import { toDay } from "../platform/db/keys.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { Problem } from "../platform/http/problems.ts";
import { maxFileGigabytesPerDay } from "../platform/runtime/env.ts";
import { addStoredBytes } from "./store.ts";

const gigabyte = 1024 * 1024 * 1024;
const dayMs = 24 * 60 * 60_000;

/** A new file of a tenant. */
export type ReservedBytes = { tenantId: TenantId; bytes: number; now: number };

/**
 * Counts a new file among those that its tenant stores on a day (UTC). Returns why it may not be stored, as the end of a sentence;
 * undefined when it may. A file that is deleted, or stored again by a repeated message, counts, too.
 */
export const reserveBytes = async (
  db: Database,
  { tenantId, bytes, now }: ReservedBytes,
): Promise<string | undefined> => {
  const gigabytes = maxFileGigabytesPerDay();
  const counted = { day: toDay(now), bytes, most: gigabytes * gigabyte, now };
  if (await addStoredBytes(withoutCompanions(db), tenantId, counted)) return undefined;
  return `exceeds the ${gigabytes} GiB of files that the tenant may store on a day (MAX_FILE_GIGABYTES_PER_DAY)`;
};

/** Counts a new file as `reserveBytes` does. Throws 429 until the day ends. */
export const requireBytes = async (db: Database, file: ReservedBytes): Promise<void> => {
  const refusal = await reserveBytes(db, file);
  if (refusal === undefined) return;
  const seconds = Math.ceil((dayMs - (file.now % dayMs)) / 1_000);
  throw new Problem("rate-limit-exceeded", `The file ${refusal}. Try again in ${seconds} s.`, {
    headers: { "Retry-After": String(seconds) },
  });
};
