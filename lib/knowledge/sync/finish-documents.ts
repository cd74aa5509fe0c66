import { getItems } from "../../platform/db/get-items.ts";
import { DocumentItem, type IndexKey } from "../document/document-item.ts";
import type { IndexTextDeps } from "../document/index-text.ts";
import { removeContents, removeWhole } from "../document/remove-contents.ts";
import { changeOthers, listAllDocuments } from "../document/store.ts";
import { documentKey } from "../keys.ts";
import type { SourceView } from "./sync-documents.ts";
import type { SyncRun } from "./sync-run.ts";

const batchSize = 25;

/** Removes the documents that a complete reading of the source did not find. Idempotent. */
export const removeVanished = async (
  deps: IndexTextDeps,
  { run: { progress, signal }, view: { known, seen, target } }: { run: SyncRun; view: SourceView },
): Promise<void> => {
  const { place } = target;
  const vanished = [...known.keys()].filter((id) => !seen.has(id));
  for (let start = 0; start < vanished.length; start += batchSize) {
    signal.throwIfAborted();
    const ids = vanished.slice(start, start + batchSize);
    const keys = ids.map((id) => documentKey(place.tenantId, place.indexId, id));
    const documents = (await getItems(deps.db, keys, DocumentItem)).filter(
      (document) => document !== undefined,
    );
    await removeWhole(deps, { place, documents });
    for (const id of ids) known.delete(id);
    progress.documentsRemoved += documents.length;
  }
};

/** Removes all contents that are in another index than the one that is searched. Idempotent. */
export const removeFromOtherIndexes = async (
  deps: IndexTextDeps,
  { run: { signal }, place, searched }: { run: SyncRun; place: IndexKey; searched: string },
): Promise<void> => {
  for await (const document of listAllDocuments(deps.db, place.tenantId, place.indexId)) {
    signal.throwIfAborted();
    const elsewhere = document.others.filter(({ index }) => index !== searched);
    if (elsewhere.length === 0) continue;
    await removeContents(deps, { place, documentId: document.documentId, contents: elsewhere });
    const others = document.others.filter(({ index }) => index === searched);
    await changeOthers(deps.db, place, document, others);
  }
};
