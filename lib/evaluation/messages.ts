import * as z from "zod";
import { TenantId } from "../platform/db/tenant-id.ts";

/** Purges the examples of a deleted dataset. Idempotent. */
export const PurgeDatasetMessage = z.object({
  type: z.literal("purge-dataset"),
  tenantId: TenantId,
  datasetId: z.string(),
  contentId: z.string(),
});
export type PurgeDatasetMessage = z.output<typeof PurgeDatasetMessage>;
