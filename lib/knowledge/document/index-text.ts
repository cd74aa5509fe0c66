import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { type Chunk, splitText } from "../index/split-text.ts";
import type { VectorStore } from "../index/vector-store.ts";
import type { Chunking } from "../sources/chunk-count.ts";
import type { TokenCounter } from "../sources/token-counter.ts";
import {
  chunksObject,
  type DocumentItem,
  type IndexedContent,
  type IndexKey,
  vectorKey,
} from "./document-item.ts";
import type { Embedder } from "./embedder.ts";
import { removeContents } from "./remove-contents.ts";
import { changeOthers, getDocument, putIndexed, putNewDocument, putUnchanged } from "./store.ts";
import { vectorMetadata } from "./vector-metadata.ts";

/** Dependencies of indexing a document. */
export type IndexTextDeps = {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly vectors: VectorStore;
  readonly clock: Clock;
  readonly chunking: Chunking;
  readonly loadTokenCounter: () => Promise<TokenCounter>;
};

/** A document and its text. */
export type TextDocument = Pick<
  DocumentItem,
  "documentId" | "name" | "link" | "metadata" | "version"
> & { readonly text: string };

/** The index to write to, and which content a search finds while another model's index is built. */
export type IndexTarget = {
  readonly place: IndexKey;
  readonly embedder: Embedder;
  /** The synchronization that saw the document; "" for none. */
  readonly seenIn: string;
  /** The index that is searched; contents there stay until the asset's whole index is built. */
  readonly searched: string;
};

/** Chunks that are embedded and stored at a time, which bounds the memory of vectors. */
const chunksAtOnce = 256;
const compress = promisify(gzip);

/**
 * Indexes a document's text: embeds its chunks and replaces the vectors of its earlier text. An unchanged document is
 * not embedded. Every content is recorded before its vectors are written, so that a repeated call, or the removal of
 * the document, finds what a crash left behind. Throws UpstreamError when the model fails; the earlier text stays.
 */
export const indexText = async (
  deps: IndexTextDeps,
  { target, document: { text, ...document } }: { target: IndexTarget; document: TextDocument },
): Promise<{ embedded: boolean; tokens: number }> => {
  const { embedder } = target;
  const hash = hashContent({ ...document, text }, embedder.index, deps.chunking);
  const known = await getDocument(deps.db, target.place, document.documentId);
  if (known?.indexed?.hash === hash) {
    await recordUnchanged(deps, target, known, document);
    return { embedded: false, tokens: 0 };
  }
  const chunks = await chunkText(deps, text);
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
  await indexChunks(deps, { target, document, hash, chunks, tokens });
  return { embedded: true, tokens };
};

/** A text as it is indexed: its chunks, their tokens together, and the hash that names it. */
export type IndexedText = {
  readonly hash: string;
  readonly chunks: readonly Pick<Chunk, "text" | "heading" | "start">[];
  readonly tokens: number;
};

/** Embeds chunks and makes them the document's content. Throws UpstreamError when the model fails. */
export const indexChunks = async (
  deps: IndexTextDeps,
  {
    target,
    document,
    hash,
    chunks,
    tokens,
  }: { target: IndexTarget; document: Omit<TextDocument, "text"> } & IndexedText,
): Promise<void> => {
  const content = { hash, index: target.embedder.index, chunkCount: chunks.length, tokens };
  await recordStart(deps, target, document, content);
  await putTexts(deps, target.place, document.documentId, { hash, chunks });
  await putVectors(deps, target, document, { hash, chunks });
  await recordIndexed(deps, target, document, content);
};

const hashContent = (
  { text, name, link, metadata }: TextDocument,
  index: string,
  { size, overlap }: Chunking,
): string =>
  createHash("sha256")
    .update(JSON.stringify([name, link, metadata, index, size, overlap]))
    .update(text)
    .digest("base64url")
    .slice(0, 32);

const chunkText = async (
  { chunking, loadTokenCounter }: IndexTextDeps,
  text: string,
): Promise<Chunk[]> =>
  Array.fromAsync(splitText([text], { chunking, count: await loadTokenCounter() }));

const isKept = ({ searched, embedder }: IndexTarget, { index }: IndexedContent): boolean =>
  index === searched && index !== embedder.index;

const buildRetryOptions = ({ name }: Pick<TextDocument, "name">) => ({
  attempts: 8,
  maxPauseMs: 500,
  error: () => beingChanged("document", name),
});

/** Records a content that is about to have vectors, and the document itself when it is new. */
const recordStart = (
  { db, clock }: IndexTextDeps,
  { place, seenIn }: IndexTarget,
  document: Omit<TextDocument, "text">,
  content: IndexedContent,
): Promise<DocumentItem> =>
  retryOnConflict(buildRetryOptions(document), async () => {
    const before = await getDocument(db, place, document.documentId);
    const now = clock();
    if (before) {
      const others = [...before.others.filter(({ hash }) => hash !== content.hash), content];
      return changeOthers(db, place, before, others);
    }
    return putNewDocument(db, place, {
      ...document,
      status: "Pending",
      error: null,
      indexed: null,
      others: [content],
      seenIn,
      createdAt: now,
      modifiedAt: now,
    });
  });

const putTexts = async (
  { objects }: IndexTextDeps,
  place: IndexKey,
  documentId: string,
  { hash, chunks }: { hash: string; chunks: IndexedText["chunks"] },
): Promise<void> => {
  if (chunks.length === 0) return;
  const texts = chunks.map(({ text, heading, start }) => ({ text, heading, start }));
  const body = await compress(JSON.stringify(texts));
  await objects.put(chunksObject(place, { documentId, hash }), body);
};

const putVectors = async (
  { vectors }: IndexTextDeps,
  { place, embedder }: IndexTarget,
  document: Omit<TextDocument, "text">,
  { hash, chunks }: { hash: string; chunks: IndexedText["chunks"] },
): Promise<void> => {
  const { indexId } = place;
  const { documentId } = document;
  const metadata = vectorMetadata(indexId, document);
  for (let start = 0; start < chunks.length; start += chunksAtOnce) {
    const part = chunks.slice(start, start + chunksAtOnce);
    const embeddings = await embedder.embed(part.map(embeddedText));
    await vectors.createIndex(embedder.index, embeddings[0]?.length ?? 0);
    await vectors.put(
      embedder.index,
      embeddings.map((values, at) => ({
        key: vectorKey(indexId, { documentId, hash, chunk: start + at }),
        values,
        metadata,
      })),
    );
  }
};

/** A chunk is embedded with its heading, which it may not contain. */
const embeddedText = ({ text, heading }: IndexedText["chunks"][number]): string =>
  heading === null || text.includes(heading) ? text : `${heading}\n\n${text}`;

/** Makes a content the document's, and removes the others. Undoes it when the document was deleted meanwhile. */
const recordIndexed = async (
  deps: IndexTextDeps,
  target: IndexTarget,
  document: Omit<TextDocument, "text">,
  content: IndexedContent,
): Promise<void> => {
  const { place, seenIn } = target;
  const { documentId } = document;
  const after = await retryOnConflict(buildRetryOptions(document), async () => {
    const before = await getDocument(deps.db, place, documentId);
    if (!before) return "deleted";
    const earlier = before.indexed ? [before.indexed] : [];
    const others = [...earlier, ...before.others].filter(({ hash }) => hash !== content.hash);
    return putIndexed(deps.db, place, before, {
      ...document,
      indexed: content,
      others,
      seenIn,
      modifiedAt: deps.clock(),
    });
  });
  if (after === "deleted") return removeContents(deps, { place, documentId, contents: [content] });
  await removeObsolete(deps, target, after);
};

const recordUnchanged = async (
  deps: IndexTextDeps,
  target: IndexTarget,
  known: DocumentItem,
  { version }: Omit<TextDocument, "text">,
): Promise<void> => {
  const isRecorded =
    known.status === "Indexed" && known.version === version && known.error === null;
  const seen = { version, seenIn: target.seenIn };
  const after = isRecorded ? known : await putUnchanged(deps.db, target.place, known, seen);
  if (after !== "changed") await removeObsolete(deps, target, after);
};

/** Removes what an earlier text or a crash left behind. */
const removeObsolete = async (
  deps: IndexTextDeps,
  target: IndexTarget,
  document: DocumentItem,
): Promise<void> => {
  const obsolete = document.others.filter((other) => !isKept(target, other));
  if (obsolete.length === 0) return;
  await removeContents(deps, {
    place: target.place,
    documentId: document.documentId,
    contents: obsolete,
  });
  const others = document.others.filter((other) => isKept(target, other));
  await changeOthers(deps.db, target.place, document, others);
};
