import { conflict } from "../../platform/http/problems.ts";
import type { SourceDocument } from "../../vendors/source.ts";
import { deriveDocumentId } from "../document/document-id.ts";
import type { DocumentItem } from "../document/document-item.ts";
import { type IndexTarget, type IndexTextDeps, indexText } from "../document/index-text.ts";
import { recordFailure } from "../document/record-failure.ts";
import { listAllDocuments } from "../document/store.ts";
import { inTime } from "../sources/count-documents.ts";
import type { SyncRun } from "./sync-run.ts";

/** The part of each indexed document that is kept in memory. */
export type KnownDocument = Pick<DocumentItem, "version" | "status" | "seenIn"> & {
  /** Whether its current text is in the index to write to, and nothing else is to be removed. */
  isCurrent: boolean;
};

/** A synchronization's view of the source. */
export type SourceView = {
  readonly target: IndexTarget;
  readonly known: Map<string, KnownDocument>;
  /** Ids that the source had in this run. */
  readonly seen: Set<string>;
  /** Ids of unchanged documents that had to be read to know it. */
  readonly compared: Set<string>;
};

/** Most documents of a source, and how many times as many its index may have while they are replaced. */
const mostDocuments = 100_000;
const mostInIndex = 2;
/** Documents that are indexed at a time. */
const atOnce = 4;
/** Characters of a document's text. */
const maxTextLength = 10 * 1024 * 1024;

/** Reads the known members of the documents in the index. */
export const readKnown = async (
  { db }: IndexTextDeps,
  target: IndexTarget,
): Promise<Map<string, KnownDocument>> => {
  const { tenantId, indexId } = target.place;
  const known = new Map<string, KnownDocument>();
  for await (const item of listAllDocuments(db, tenantId, indexId)) {
    known.set(item.documentId, toKnown(item, target));
  }
  return known;
};

const toKnown = (
  { version, status, seenIn, indexed, others }: DocumentItem,
  { embedder, searched }: IndexTarget,
): KnownDocument => {
  const isClean = others.every(({ index }) => index === searched && index !== embedder.index);
  return { version, status, seenIn, isCurrent: indexed?.index === embedder.index && isClean };
};

/**
 * Returns whether a document needs no reading: it has the version that is indexed, or this synchronization did it
 * before it was interrupted.
 */
export const isUpToDate = (
  { known, target }: SourceView,
  document: Pick<SourceDocument, "id" | "fileName" | "version">,
): boolean => {
  const before = known.get(toDocumentId(document));
  if (!before) return false;
  const { version, status, seenIn, isCurrent } = before;
  if (seenIn === target.seenIn && (isCurrent || status === "Failed")) return true;
  return (
    isCurrent &&
    status === "Indexed" &&
    document.version !== undefined &&
    document.version === version
  );
};

const toDocumentId = ({ id, fileName }: Pick<SourceDocument, "id" | "fileName">): string =>
  deriveDocumentId(id ?? fileName);

/**
 * Indexes the documents of a source, several at a time. Throws what the source, the model or storage throws, and a Problem
 * for a source with too many documents.
 */
export const syncDocuments = async (
  deps: IndexTextDeps & { readonly mostDocuments?: number },
  {
    run,
    view,
    documents,
  }: { run: SyncRun; view: SourceView; documents: AsyncIterable<SourceDocument> },
): Promise<void> => {
  const { signal } = run;
  const most = deps.mostDocuments ?? mostDocuments;
  const check = () => signal.throwIfAborted();
  const working = new Set<Promise<void>>();
  try {
    for await (const document of inTime(documents, { signal, check })) {
      const documentId = toDocumentId(document);
      if (view.seen.has(documentId)) continue;
      view.seen.add(documentId);
      if (view.seen.size > most || view.known.size >= most * mostInIndex) throw tooMany(most);
      run.progress.documentsSeen += 1;
      if (isUpToDate(view, document)) continue;
      const work = syncDocument(deps, run, view, document).finally(() => working.delete(work));
      // Prevents an unhandled rejection before it is awaited.
      work.catch(() => undefined);
      working.add(work);
      if (working.size >= atOnce) await Promise.race(working);
    }
    await Promise.all(working);
  } finally {
    await Promise.allSettled(working);
  }
};

const tooMany = (most: number): Error =>
  conflict(`The source has more than ${most} documents. Narrow its parameters.`);

const syncDocument = async (
  deps: IndexTextDeps,
  { progress, signal }: SyncRun,
  { target, known, compared }: SourceView,
  source: SourceDocument,
): Promise<void> => {
  const { fileName: name, link = null, version = null, metadata = {} } = source;
  const document = { documentId: toDocumentId(source), name, link, version, metadata };
  const text = await readText(source, signal);
  const { seenIn } = target;
  if (text === undefined) {
    const error = `The text has more than ${maxTextLength / (1024 * 1024)} million characters.`;
    await recordFailure(deps, { ...target, document, error });
    known.set(document.documentId, { version, seenIn, status: "Failed", isCurrent: false });
    return;
  }
  const { embedded, tokens } = await indexText(deps, { target, document: { ...document, text } });
  if (!embedded) compared.add(document.documentId);
  else {
    progress.documentsIndexed += 1;
    progress.tokens += tokens;
  }
  known.set(document.documentId, { version, seenIn, status: "Indexed", isCurrent: true });
};

/** Returns the whole text, which is compared before it is divided; undefined when it is too long. */
const readText = async (
  { text }: SourceDocument,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of text) {
    signal.throwIfAborted();
    length += piece.length;
    if (length > maxTextLength) return undefined;
    pieces.push(piece);
  }
  return pieces.join("");
};
