import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { VectorStore } from "../index/vector-store.ts";
import {
  chunksObject,
  type DocumentItem,
  type IndexedContent,
  type IndexKey,
  listContents,
  vectorKeys,
} from "./document-item.ts";
import { removeDocuments } from "./store.ts";

/** Dependencies of removing what was indexed. */
export type RemovalDeps = {
  readonly objects: Pick<ObjectStore, "remove">;
  readonly vectors: VectorStore;
};

/** Removes the vectors of all contents of documents. Idempotent. */
export const removeVectors = async (
  vectors: VectorStore,
  indexId: string,
  documents: readonly Pick<DocumentItem, "documentId" | "indexed" | "others">[],
): Promise<void> => {
  const contents = documents.flatMap((document) =>
    listContents(document).map((content) => ({
      index: content.index,
      keys: vectorKeys(indexId, document.documentId, content),
    })),
  );
  for (const [index, group] of Map.groupBy(contents, (content) => content.index)) {
    await vectors.remove(
      index,
      group.flatMap(({ keys }) => keys),
    );
  }
};

/** Removes the vectors and texts of some contents of a document. Idempotent. */
export const removeContents = async (
  { objects, vectors }: RemovalDeps,
  {
    place,
    documentId,
    contents,
  }: { place: IndexKey; documentId: string; contents: readonly IndexedContent[] },
): Promise<void> => {
  await removeVectors(vectors, place.indexId, [
    { documentId, indexed: null, others: [...contents] },
  ]);
  await objects.remove(contents.map(({ hash }) => chunksObject(place, { documentId, hash })));
};

/** Removes documents with their vectors and texts: first what a search finds, the items last. Idempotent. */
export const removeWhole = async (
  { db, objects, vectors }: RemovalDeps & { readonly db: Database },
  {
    place,
    documents,
  }: {
    place: IndexKey;
    documents: readonly Pick<DocumentItem, "documentId" | "indexed" | "others">[];
  },
): Promise<void> => {
  await removeVectors(vectors, place.indexId, documents);
  const names = documents.flatMap((document) =>
    listContents(document).map(({ hash }) =>
      chunksObject(place, { documentId: document.documentId, hash }),
    ),
  );
  await objects.remove(names);
  await removeDocuments(db, place, documents);
};
