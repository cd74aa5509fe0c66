import { retainedPrefix, retentionClasses } from "../../lib/platform/db/retained-prefix.ts";
import {
  deliveriesPrefix,
  executionsPrefix,
  filesPrefix,
  stepsPrefix,
  uploadsPrefix,
} from "../../lib/platform/db/table.ts";

/**
 * Prefixes of the objects in the bucket that are of no tenant by their name: idempotent responses, which a lifecycle
 * rule deletes within two days.
 */
export const sharedPrefixes: readonly string[] = ["idempotency/"];

/** Returns the prefixes of a tenant's objects in the bucket. */
export const listObjectPrefixes = (tenantId: string): string[] => [
  `${tenantId}/`,
  `datasets/${tenantId}/`,
  `knowledge/${tenantId}/`,
  `${uploadsPrefix}/${tenantId}/`,
  `${stepsPrefix}/${tenantId}/`,
  ...[deliveriesPrefix, executionsPrefix, filesPrefix].flatMap((prefix) =>
    retentionClasses.map((days) => `${retainedPrefix(prefix, days)}/${tenantId}/`),
  ),
];
