import { createHash } from "node:crypto";
import type { Database } from "../platform/db/database.ts";
import type { FileObjects } from "../platform/db/file-objects.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { detectMediaType } from "./detect-media-type.ts";
import { computeExpiry, type FileCreator, type FileItem, fileObject } from "./file-item.ts";
import { putFile } from "./store.ts";

/** Dependencies of storing a file. */
export type CreateFileDeps = {
  readonly db: Database;
  readonly files: Pick<FileObjects, "put">;
};

/** A file that is to be stored. `id` is new, or that of an earlier attempt. */
export type NewStoredFile = {
  tenantId: TenantId;
  id: string;
  name: string;
  content: Uint8Array;
  creator: FileCreator;
  retentionDays: number;
  now: number;
};

/** Stores a file for its creator. */
export const createFile = async (deps: CreateFileDeps, file: NewStoredFile): Promise<FileItem> => {
  const item = await buildFileItem(file);
  await storeFile(deps, { ...file, item });
  return item;
};

/** Stores a file by the item that was built for it. */
export const storeFile = async (
  { db, files }: CreateFileDeps,
  { tenantId, content, item }: Pick<NewStoredFile, "tenantId" | "content"> & { item: FileItem },
): Promise<void> => {
  await files.put(item.object, content);
  await putFile(db, tenantId, item);
};

/** Builds the item of a new file, with the media type of its content. */
export const buildFileItem = async ({
  tenantId,
  id,
  name,
  content,
  creator,
  retentionDays,
  now,
}: NewStoredFile): Promise<FileItem> => ({
  id,
  name,
  mediaType: await detectMediaType(content, name),
  bytes: content.byteLength,
  sha256: createHash("sha256").update(content).digest("hex"),
  status: "Stored",
  object: fileObject(tenantId, { id, retentionDays }),
  creator,
  retentionDays,
  createdAt: now,
  expiresAt: computeExpiry(now, retentionDays),
});
