import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import { type IndexKey, uploadObject } from "./document-item.ts";
import { type RemovalDeps, removeContents } from "./remove-contents.ts";
import { getStoredDocument } from "./store.ts";
import { deleteMarked } from "./upload-store.ts";

/**
 * Removes what is left of a document that is marked as deleted: its vectors, texts and file, the item last. A no-op for
 * any other document. Idempotent.
 */
export const removeDeleted = async (
  deps: RemovalDeps & { readonly db: Database },
  { place, documentId }: { place: IndexKey; documentId: string },
): Promise<void> => {
  const error = () => beingChanged("document", documentId);
  await retryOnConflict({ attempts: 8, maxPauseMs: 500, error }, async () => {
    const document = await getStoredDocument(deps.db, place, documentId);
    if (!document?.deletion) return;
    const { uploadId } = document.deletion;
    await removeContents(deps, { place, documentId, contents: document.others });
    if (uploadId !== null) {
      await deps.objects.remove([uploadObject(place, { documentId, uploadId })]);
    }
    return deleteMarked(deps.db, place, document);
  });
};
