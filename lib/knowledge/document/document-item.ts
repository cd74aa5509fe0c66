import * as z from "zod";
import { uploadsPrefix } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { Timestamp } from "../../platform/http/ids.ts";

/** Metadata of a source that searches may filter by. */
export const DocumentMetadata = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);
export type DocumentMetadata = z.output<typeof DocumentMetadata>;

/** A content of a document in an index; its texts and vectors are named by the hash. */
export const IndexedContent = z.object({
  /** Hash of the indexed content and of the settings, in base64url. */
  hash: z.string(),
  /** The index of its vectors. */
  index: z.string(),
  chunkCount: z.int(),
  tokens: z.int(),
});
export type IndexedContent = z.output<typeof IndexedContent>;

/** A file that was uploaded; kept so that it can be indexed again. */
const Upload = z.object({
  id: z.string(),
  /** Media type that the caller sent; "" for none. */
  contentType: z.string(),
  /** Size in bytes. */
  size: z.int(),
  /** Whether the stored object is compressed with gzip. */
  isCompressed: z.boolean(),
});
export type Upload = z.output<typeof Upload>;

/** Stored document of an asset. */
export const DocumentItem = z.object({
  documentId: z.string(),
  name: z.string(),
  link: z.string().nullable(),
  metadata: DocumentMetadata,
  /** The source's own version, such as a commit or an etag; null when it has none. */
  version: z.string().nullable(),
  status: z.enum(["Pending", "Indexed", "Failed"]),
  error: z.string().nullable(),
  /** The version that searches find; null before the first time. */
  indexed: IndexedContent.nullable().default(null),
  /** Further contents that may have vectors: one that is being indexed, and those to be removed. */
  others: z.array(IndexedContent).default([]),
  /** The synchronization that saw the document last. */
  seenIn: z.string().default(""),
  /** The newest uploaded file; null for a document of another source. */
  upload: Upload.nullable().default(null),
  /** Repeated readings of the newest file during which the function ended. */
  unendedReads: z.int().default(0),
  /** Whether the asset's number of documents includes this upload. */
  isCounted: z.boolean().default(false),
  /** Set in a document that is deleted while its contents are being removed; null otherwise. */
  deletion: z.object({ uploadId: z.string().nullable() }).nullable().default(null),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});
export type DocumentItem = z.output<typeof DocumentItem>;

/** Where an asset's documents are. */
export type IndexKey = { readonly tenantId: TenantId; readonly indexId: string };

/** Returns all contents of a document that may have vectors. */
export const listContents = ({
  indexed,
  others,
}: Pick<DocumentItem, "indexed" | "others">): IndexedContent[] => [
  ...(indexed ? [indexed] : []),
  ...others,
];

/**
 * Returns what a search in an index may find of a document; undefined for nothing. While another model's index is
 * built, the index that is searched has the content before.
 */
export const contentIn = (
  { indexed, others }: Pick<DocumentItem, "indexed" | "others">,
  index: string,
): IndexedContent | undefined => {
  if (!indexed || indexed.index === index) return indexed ?? undefined;
  return others.find((other) => other.index === index);
};

/** Returns the keys of the vectors of a document's content. */
export const vectorKeys = (
  indexId: string,
  documentId: string,
  { hash, chunkCount }: IndexedContent,
): string[] =>
  Array.from({ length: chunkCount }, (_, chunk) => vectorKey(indexId, { documentId, hash, chunk }));

/** Returns the key of a chunk's vector. */
export const vectorKey = (
  indexId: string,
  { documentId, hash, chunk }: { documentId: string; hash: string; chunk: number },
): string => `${indexId}/${documentId}/${hash}/${chunk}`;

/** Returns the document, hash and chunk that a vector's key names; undefined for another form. */
export const readVectorKey = (
  key: string,
): { indexId: string; documentId: string; hash: string; chunk: number } | undefined => {
  const [indexId, documentId, hash, chunk, ...more] = key.split("/");
  if (!indexId || !documentId || !hash || chunk === undefined || more.length > 0) return undefined;
  return { indexId, documentId, hash, chunk: Number(chunk) };
};

/** Returns what the names of the objects with an asset's texts begin with. */
export const chunksPrefix = ({ tenantId, indexId }: IndexKey): string =>
  `knowledge/${tenantId}/${indexId}/`;

/** Returns the name of the object with the texts of a content's chunks: a JSON array of `StoredChunks`. */
export const chunksObject = (
  place: IndexKey,
  { documentId, hash }: { documentId: string; hash: string },
): string => `${chunksPrefix(place)}${documentId}/${hash}.json`;

/** The texts of a document's chunks, in order; `start` is where one begins in the document's text. */
export const StoredChunks = z.array(
  z.object({ text: z.string(), heading: z.string().nullable(), start: z.int() }),
);
export type StoredChunks = z.output<typeof StoredChunks>;

/** Returns what the names of the objects with files of unfinished uploads to an asset begin with. */
export const startedPrefix = ({ tenantId, indexId }: IndexKey): string =>
  `${uploadsPrefix}/${tenantId}/${indexId}/`;

/** Returns the name of the object with the file of an upload that is not completed. */
export const startedObject = (place: IndexKey, uploadId: string): string =>
  `${startedPrefix(place)}${uploadId}`;

/** Returns the name of the object with an uploaded file. */
export const uploadObject = (
  place: IndexKey,
  { documentId, uploadId }: { documentId: string; uploadId: string },
): string => `${chunksPrefix(place)}${documentId}/uploads/${uploadId}`;
