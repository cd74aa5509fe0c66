import type { VectorMetadata } from "../index/vector-store.ts";
import type { DocumentItem } from "./document-item.ts";

/** Limits of S3 Vectors: 2 KB of filterable metadata. https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-limitations.html */
const maxBytes = 2_000;
const maxMembers = 40;
const maxNameLength = 500;

/**
 * Returns the metadata of a document's vectors: the asset's index, the document, its name, and what fits of the
 * source's metadata. Members of the source with the names of these are left out.
 */
export const vectorMetadata = (
  indexId: string,
  { documentId, name, metadata }: Pick<DocumentItem, "documentId" | "name" | "metadata">,
): VectorMetadata => {
  const own = {
    asset: indexId,
    document: documentId,
    name: name.slice(0, maxNameLength).toWellFormed(),
  };
  const kept: Record<string, VectorMetadata[string]> = {};
  let bytes = countBytes(own);
  for (const [member, value] of Object.entries(metadata)) {
    if (Object.hasOwn(own, member) || value === "" || (Array.isArray(value) && !value.length))
      continue;
    const more = countBytes({ [member]: value });
    if (bytes + more > maxBytes || Object.keys(kept).length === maxMembers) continue;
    kept[member] = value;
    bytes += more;
  }
  return { ...kept, ...own };
};

const countBytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));
