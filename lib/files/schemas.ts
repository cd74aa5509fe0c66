import * as z from "zod";
import { Timestamp, Uuid } from "../platform/http/ids.ts";
import { queryInteger } from "../platform/http/paging.ts";
import { isFileName } from "../values/json/file-value.ts";
import { storedFileLimits } from "./limits.ts";

/** Name of a file: the last part of a path, without control characters. */
export const FileName = z
  .string()
  .trim()
  .min(1)
  .max(storedFileLimits.nameLength)
  .refine(isFileName, "must not contain slashes or control characters")
  .meta({ description: "Name of the file, without a path.", example: "invoice.pdf" });

/** Days for which a file is kept, in a query. */
export const FileRetentionDays = queryInteger(
  1,
  storedFileLimits.retentionDays,
  storedFileLimits.defaultRetentionDays,
  "Days for which the file is kept.",
);

/** Request for an address to upload a file to. */
export const CreateFileUploadBody = z
  .object({
    name: FileName,
    mediaType: z.string().min(1).max(256).meta({
      description:
        "Media type that the file is expected to have. The stored file has that of its content.",
    }),
    bytes: z.int().min(1).max(storedFileLimits.bytes).meta({
      description: "Size of the file in bytes; the address accepts no other.",
    }),
    retentionDays: z
      .int()
      .min(1)
      .max(storedFileLimits.retentionDays)
      .nullish()
      .meta({
        description: `Days for which the file is kept. Default: ${storedFileLimits.defaultRetentionDays}.`,
      }),
  })
  .meta({
    id: "CreateFileUploadBody",
    example: { name: "invoice.pdf", mediaType: "application/pdf", bytes: 4 },
  });
export type CreateFileUploadBody = z.output<typeof CreateFileUploadBody>;

/** An address to upload a file to. */
export const UploadAddress = z
  .object({
    id: Uuid,
    uploadUrl: z.string().meta({ description: "Send the file here with PUT and these headers." }),
    headers: z.record(z.string(), z.string()),
    expiresAt: Timestamp.meta({ description: "When the address expires." }),
  })
  .meta({ id: "UploadAddress" });
export type UploadAddress = z.output<typeof UploadAddress>;

/** A stored file. */
export const StoredFile = z
  .object({
    id: Uuid,
    name: z.string(),
    mediaType: z.string().meta({ description: "Media type, found from the content." }),
    bytes: z.int(),
    sha256: z.string().meta({ description: "SHA-256 of the content, in hexadecimal digits." }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: "StoredFile" });
export type StoredFile = z.output<typeof StoredFile>;
