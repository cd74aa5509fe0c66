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

/** Removes what is left of a deleted document; ignored for any other document. Idempotent. */
export const RemoveDocumentMessage = z.object({
  type: z.literal("remove-document"),
  tenantId: TenantId,
  indexId: z.string(),
  documentId: z.string(),
});
export type RemoveDocumentMessage = z.output<typeof RemoveDocumentMessage>;

/** Runs a synchronization of an asset, or continues it; ignored when it has ended. */
export const SyncAssetMessage = z
  .object({
    type: z.literal("sync-asset"),
    tenantId: TenantId,
    assetId: z.string(),
    indexId: z.string(),
    syncId: z.string(),
  })
  .meta({
    example: {
      type: "sync-asset",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      assetId: "handbook",
      indexId: "0193f0a0-7c4b-7000-8000-000000000001",
      syncId: "0193f0a0-7c4b-7000-8000-000000000002",
    },
  });
export type SyncAssetMessage = z.output<typeof SyncAssetMessage>;

/** Indexes the newest uploaded file of a document. Idempotent. */
export const IndexDocumentMessage = z
  .object({
    type: z.literal("index-document"),
    tenantId: TenantId,
    assetId: z.string(),
    indexId: z.string(),
    documentId: z.string(),
  })
  .meta({
    example: {
      type: "index-document",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      assetId: "handbook",
      indexId: "0193f0a0-7c4b-7000-8000-000000000001",
      documentId: "q2xSUhdY5uK0sYkIkOq2Hw",
    },
  });
export type IndexDocumentMessage = z.output<typeof IndexDocumentMessage>;
