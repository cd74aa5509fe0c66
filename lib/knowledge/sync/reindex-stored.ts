import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { chunksObject, type DocumentItem, StoredChunks } from "../document/document-item.ts";
import { type IndexTarget, type IndexTextDeps, indexChunks } from "../document/index-text.ts";
import { listAllDocuments } from "../document/store.ts";
import type { SyncRun } from "./sync-run.ts";

const expand = promisify(gunzip);

/** Embeds the stored texts of documents again that are in another model's index. Idempotent. */
export const reindexStored = async (
  deps: IndexTextDeps,
  { run: { progress, signal }, target }: { run: SyncRun; target: IndexTarget },
): Promise<void> => {
  const { place, embedder } = target;
  for await (const document of listAllDocuments(deps.db, place.tenantId, place.indexId)) {
    signal.throwIfAborted();
    progress.documentsSeen += 1;
    const { indexed } = document;
    if (!indexed || indexed.index === embedder.index) continue;
    const { documentId, name, link, metadata, version } = document;
    const hash = hashIn(embedder.index, indexed);
    const chunks = await readTexts(deps, target, document);
    const described = { documentId, name, link, metadata, version };
    await indexChunks(deps, { target, document: described, hash, chunks, tokens: indexed.tokens });
    progress.documentsIndexed += 1;
    progress.tokens += indexed.tokens;
  }
};

const hashIn = (index: string, { hash }: { hash: string }): string =>
  createHash("sha256")
    .update(JSON.stringify([index, hash]))
    .digest("base64url")
    .slice(0, 32);

const readTexts = async (
  { objects }: IndexTextDeps,
  { place }: IndexTarget,
  { documentId, indexed }: DocumentItem,
) => {
  if (!indexed || indexed.chunkCount === 0) return [];
  const body = await objects.get(chunksObject(place, { documentId, hash: indexed.hash }));
  return StoredChunks.parse(JSON.parse((await expand(body)).toString("utf8")));
};
