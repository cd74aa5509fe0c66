import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { chunksObject, type IndexPlace, StoredChunks } from "../document/document-item.ts";

const expand = promisify(gunzip);
/** Documents whose texts an instance keeps: texts of one hash never change. */
const maxKept = 200;
const kept = new Map<string, StoredChunks>();

/** Returns the texts of a document's chunks; none when the document was removed meanwhile. */
export const loadChunks = async (
  objects: Pick<ObjectStore, "get">,
  place: IndexPlace,
  document: { documentId: string; hash: string },
): Promise<StoredChunks> => {
  const key = chunksObject(place, document);
  const known = kept.get(key);
  if (known) return known;
  const chunks = StoredChunks.parse(JSON.parse(String(await expand(await objects.get(key)))));
  if (kept.size >= maxKept) kept.delete(kept.keys().next().value ?? "");
  kept.set(key, chunks);
  return chunks;
};
