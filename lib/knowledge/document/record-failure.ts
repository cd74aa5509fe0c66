import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import type { DocumentItem, IndexKey } from "./document-item.ts";
import { getDocument, putFailure, putNewDocument } from "./store.ts";

/** Records why a document could not be indexed; its earlier text stays searchable. */
export const recordFailure = async (
  { db, clock }: { db: Database; clock: Clock },
  {
    place,
    seenIn,
    document,
    error,
  }: {
    document: Pick<DocumentItem, "documentId" | "name" | "link" | "metadata" | "version">;
    error: string;
    place: IndexKey;
    seenIn: string;
  },
): Promise<void> => {
  const failure = { ...document, error, seenIn, modifiedAt: clock() };
  await retryOnConflict({ error: () => beingChanged("document", document.name) }, async () => {
    const before = await getDocument(db, place, document.documentId);
    if (before) return putFailure(db, place, before, failure);
    return putNewDocument(db, place, {
      ...failure,
      status: "Failed",
      indexed: null,
      others: [],
      createdAt: failure.modifiedAt,
    });
  });
};
