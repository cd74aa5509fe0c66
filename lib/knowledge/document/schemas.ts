import * as z from "zod";
import { Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { fileLimits } from "../files/file-limits.ts";
import type { DocumentItem } from "./document-item.ts";

/** A document's id in a path. */
export const DocumentId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/, "must be a document's id")
  .meta({ example: "q2xSUhdY5uK0sYkIkOq2Hw" });

/** Name of an uploaded file. */
export const DocumentName = z.string().trim().min(1).max(512).meta({
  description: "Name of the file; a file of the same name is replaced.",
  example: "returns.md",
});

/** Request for a URL to upload a file to. */
export const CreateUploadBody = z
  .object({
    size: z.int().min(1).max(fileLimits.uploadedBytes).meta({
      description: "Size of the file in bytes; the URL accepts no other.",
    }),
  })
  .meta({ id: "CreateUploadBody", example: { size: 4 } });
export type CreateUploadBody = z.output<typeof CreateUploadBody>;

/** A file to be uploaded. */
export const FileUpload = z
  .object({
    id: Uuid,
    uploadUrl: z.string().nullable().meta({
      description: "URL to which the file is sent with PUT; null in a repeated response.",
    }),
    headers: z.record(z.string(), z.string()).meta({
      description: "Headers that the PUT must have; the URL is signed for them.",
    }),
    expiresAt: Timestamp.meta({ description: "When the URL expires, Unix milliseconds." }),
  })
  .meta({
    id: "FileUpload",
    example: {
      id: "0193f0a0-7c4b-7000-8000-000000000000",
      uploadUrl: "https://bucket.s3.amazonaws.com/uploads/…",
      headers: { "Content-Type": "application/octet-stream" },
      expiresAt: 1763597700000,
    },
  });
export type FileUpload = z.output<typeof FileUpload>;

/** Request to complete the upload of a file. */
export const CompleteUploadBody = z
  .object({
    name: DocumentName,
    contentType: z.string().max(256).nullish().meta({
      description: "Media type; by default known by the name, else by the content.",
    }),
  })
  .meta({
    id: "CompleteUploadBody",
    example: { name: "handbook.pdf", contentType: "application/pdf" },
  });
export type CompleteUploadBody = z.output<typeof CompleteUploadBody>;

/** A document of an asset. */
export const AssetDocument = z
  .object({
    id: z.string(),
    name: z.string(),
    contentType: z.string().nullable().meta({
      description: "Media type of an uploaded file, or null.",
    }),
    size: z.int().nullable().meta({ description: "Bytes of an uploaded file, or null." }),
    status: z.enum(["Pending", "Indexed", "Failed"]).meta({
      description:
        "While a new version is `Pending`, and when it is `Failed`, searches find the version before it.",
    }),
    error: z.string().nullable().meta({ description: "Why it is `Failed`, or null." }),
    chunkCount: z.int().meta({ description: "Chunks that searches find." }),
    tokens: z.int().meta({ description: "Tokens of these chunks." }),
    link: z.string().nullable(),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({
    id: "AssetDocument",
    example: {
      id: "q2xSUhdY5uK0sYkIkOq2Hw",
      name: "returns.md",
      contentType: "text/markdown",
      size: 1834,
      status: "Indexed",
      error: null,
      chunkCount: 3,
      tokens: 412,
      link: null,
      createdAt: 1763596800000,
      modifiedAt: 1763596800000,
    },
  });
export type AssetDocument = z.output<typeof AssetDocument>;

/** A page of documents, by id. */
export const AssetDocumentPage = pageSchema(AssetDocument, "AssetDocumentPage");

/** Returns what the API shows of a document. */
export const toDocument = (item: DocumentItem): AssetDocument => ({
  id: item.documentId,
  name: item.name,
  contentType: item.upload?.contentType || null,
  size: item.upload?.size ?? null,
  status: item.status,
  error: item.error,
  chunkCount: item.indexed?.chunkCount ?? 0,
  tokens: item.indexed?.tokens ?? 0,
  link: item.link,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
});
