import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { chunksObject, type IndexKey, StoredChunks } from "../document/document-item.ts";

const expand = promisify(gunzip);
/** Characters of texts that an instance keeps, the last used ones: texts of one hash never change. */
const maxKept = 16 * 1024 * 1024;
/** Characters that a document counts in addition to its texts. */
const ownWeight = 1_000;
const kept = new Map<string, { chunks: StoredChunks; weight: number }>();
let keptWeight = 0;

/** Returns the texts of a document's chunks; none when the document was removed meanwhile. */
export const loadChunks = async (
  objects: Pick<ObjectStore, "get">,
  place: IndexKey,
  document: { documentId: string; hash: string },
): Promise<StoredChunks> => {
  const key = chunksObject(place, document);
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known.chunks;
  }
  const chunks = StoredChunks.parse(JSON.parse(String(await expand(await objects.get(key)))));
  keep(key, chunks);
  return chunks;
};

const keep = (key: string, chunks: StoredChunks): void => {
  const weight = chunks.reduce((sum, { text }) => sum + text.length, ownWeight);
  if (kept.has(key)) return;
  kept.set(key, { chunks, weight });
  keptWeight += weight;
  for (const [oldest, { weight: freed }] of kept) {
    if (keptWeight <= maxKept) return;
    kept.delete(oldest);
    keptWeight -= freed;
  }
};
