import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { RemoveDocumentMessage } from "../messages.ts";
import type { RemovalDeps } from "./remove-contents.ts";
import { removeDeleted } from "./remove-deleted.ts";
import { getDocument, getStoredDocument } from "./store.ts";
import { getUploadAsset } from "./upload-asset.ts";
import { markDeleted } from "./upload-store.ts";

/** Time after which a queue removes what a call that ended early has left. */
const resumedAfterSeconds = 60;

/**
 * Deletes an uploaded document: marks it, so that nothing finds it, then removes its vectors, texts and file. Throws 404,
 * and 409 for an asset with documents from a source.
 */
export const deleteDocument = async (
  deps: RemovalDeps & { db: Database; send: Send },
  { tenantId, assetId, documentId }: { tenantId: TenantId; assetId: string; documentId: string },
): Promise<void> => {
  const { db, send } = deps;
  const asset = await getUploadAsset(db, tenantId, assetId);
  const place = { tenantId, indexId: asset.indexId };
  const stored = await getStoredDocument(db, place, documentId);
  if (!stored) throw notFound("document", documentId);
  const message: RemoveDocumentMessage = { type: "remove-document", ...place, documentId };
  // First: a call that ends after the mark has requested the removal. Without a mark the message does nothing.
  if (!stored.deletion) await send("housekeeping", tenantId, message, resumedAfterSeconds);
  const error = () => beingChanged("document", documentId);
  const isMarked = await retryOnConflict({ attempts: 8, maxPauseMs: 500, error }, async () => {
    const document = await getDocument(db, place, documentId);
    if (!document) return false;
    return (await markDeleted(db, tenantId, asset, document)) === "changed" ? "changed" : true;
  });
  await removeDeleted(deps, { place, documentId });
  if (!isMarked) throw notFound("document", documentId);
};
