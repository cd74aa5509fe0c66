import * as z from "zod";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { Timestamp } from "../../platform/http/ids.ts";

/** Metadata of a source that searches may filter by. */
export const DocumentMetadata = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);
export type DocumentMetadata = z.output<typeof DocumentMetadata>;

/** The indexed content of a document; its texts and vectors are named by the hash. */
const IndexedContent = z.object({
  /** Hash of text, name and link, in base64url. */
  hash: z.string(),
  chunkCount: z.int(),
  tokens: z.int(),
});

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
  /** What searches find; null before the first time. */
  indexed: IndexedContent.nullable(),
  /** The synchronization that saw the document last. */
  seenIn: z.string(),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});
export type DocumentItem = z.output<typeof DocumentItem>;

/** Where an asset's documents are. */
export type IndexPlace = { readonly tenantId: TenantId; readonly indexId: string };

/** Returns the keys of a document's vectors. */
export const vectorKeys = (
  indexId: string,
  { documentId, indexed }: Pick<DocumentItem, "documentId" | "indexed">,
): string[] =>
  Array.from({ length: indexed?.chunkCount ?? 0 }, (_, chunk) =>
    vectorKey(indexId, { documentId, hash: indexed?.hash ?? "", chunk }),
  );

/** Returns the key of a chunk's vector. */
export const vectorKey = (
  indexId: string,
  { documentId, hash, chunk }: { documentId: string; hash: string; chunk: number },
): string => `${indexId}/${documentId}/${hash}/${chunk}`;

/** Returns what the names of the objects with an asset's texts begin with. */
export const chunksPrefix = ({ tenantId, indexId }: IndexPlace): string =>
  `knowledge/${tenantId}/${indexId}/`;
