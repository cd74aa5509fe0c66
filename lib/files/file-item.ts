import * as z from "zod";
import type { FlowFile } from "../engine/flow-file.ts";
import { retainedPrefix } from "../platform/db/retained-prefix.ts";
import { filesPrefix, uploadsPrefix } from "../platform/db/table.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { storedFileLimits } from "./limits.ts";
import type { StoredFile, UploadAddress } from "./schemas.ts";

/** The creator of a file: a user, an API key, an execution by its tool, or a connector for a chat. */
export const FileCreator = z.object({
  type: z.enum(["User", "ApiKey", "Execution", "Connector"]),
  id: z.string(),
});
export type FileCreator = z.output<typeof FileCreator>;

const members = {
  id: z.string(),
  name: z.string(),
  creator: FileCreator,
  retentionDays: z.int(),
  createdAt: z.number(),
  /** Unix milliseconds. A read must not rely on the removal of what has expired. */
  expiresAt: z.number(),
};

/** A file with its content in the bucket, under the name `object`. */
export const FileItem = z.object({
  ...members,
  status: z.literal("Stored"),
  mediaType: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  object: z.string(),
});
export type FileItem = z.output<typeof FileItem>;

/** A file that is to be uploaded. `bytes`: its size, which the address accepts alone. */
export const PendingFile = z.object({
  ...members,
  status: z.literal("Pending"),
  bytes: z.int(),
});
export type PendingFile = z.output<typeof PendingFile>;

/** Any file's item. */
export const AnyFileItem = z.discriminatedUnion("status", [FileItem, PendingFile]);

/** A file that a person sent. `sentAt`: Unix milliseconds. */
export const PersonFile = z.object({ id: z.string(), object: z.string(), sentAt: z.number() });
export type PersonFile = z.output<typeof PersonFile>;

/** The use of a file by an execution, or as the avatar of an agent. `starter`: the principal that started the execution. */
export const FileUse = z.object({
  agentId: z.string(),
  /** Null for an avatar. */
  executionId: z.string().nullable(),
  starter: z.string().nullable(),
});
export type FileUse = z.output<typeof FileUse>;

/** Returns the name of the object with a file's content. Its beginning says for how long it is kept. */
export const fileObject = (
  tenantId: TenantId,
  { id, retentionDays }: Pick<FileItem, "id" | "retentionDays">,
): string => `${retainedPrefix(filesPrefix, retentionDays)}/${tenantId}/${id}`;

/** Returns the name of the object with a file that is being uploaded. */
export const pendingObject = (tenantId: TenantId, fileId: string): string =>
  `${uploadsPrefix}/${tenantId}/files/${fileId}`;

const dayMs = 24 * 60 * 60_000;

/** Returns when a file of that age expires, Unix milliseconds. */
export const computeExpiry = (createdAt: number, retentionDays: number): number =>
  createdAt + retentionDays * dayMs;

/** Returns a file as the API shows it. */
export const toStoredFile = (item: FileItem): StoredFile => {
  const { id, name, mediaType, bytes, sha256, createdAt, expiresAt } = item;
  return { id, name, mediaType, bytes, sha256, createdAt, expiresAt };
};

/** Returns the upload of a pending file as the API shows it. */
export const toUploadAddress = (
  { id, createdAt }: PendingFile,
  uploadUrl: string,
  headers: Record<string, string>,
): UploadAddress => ({ id, uploadUrl, headers, expiresAt: createdAt + storedFileLimits.uploadMs });

/** Returns a file as expressions, traces and records see it. */
export const toFlowFile = ({ id, name, mediaType, bytes }: FileItem): FlowFile => ({
  id,
  name,
  mediaType,
  bytes,
});

/** Returns what stores the files of an execution. */
export const executionAsCreator = (execution: {
  agentId: string;
  executionId: string;
}): FileCreator => ({ type: "Execution", id: `${execution.agentId}/${execution.executionId}` });
