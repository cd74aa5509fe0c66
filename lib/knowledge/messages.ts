import * as z from "zod";
import { TenantId } from "../platform/db/tenant-id.ts";

/** Purges the documents, the index and the subscriptions of a deleted asset. Idempotent. */
export const PurgeAssetMessage = z.object({
  type: z.literal("purge-asset"),
  tenantId: TenantId,
  assetId: z.string(),
  indexId: z.string(),
});
export type PurgeAssetMessage = z.output<typeof PurgeAssetMessage>;
