import { createHash } from "node:crypto";
import type { Database } from "../platform/db/database.ts";
import type { FileObjects } from "../platform/db/file-objects.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { detectMediaType } from "./detect-media-type.ts";
import { computeExpiry, type FileCreator, type FileItem, fileObject } from "./file-item.ts";
import { requireBytes } from "./reserve-bytes.ts";
import { type FileSender, getFile, putFile, putPersonFile } from "./store.ts";

/** Digits of the digest in the name of an object. */
const digestLength = 16;

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
  /** Of a message that a connector received: the file is deleted with the person. Absent for none. */
  sender?: FileSender;
};

/** Stores a file for its creator. One with its id, from an earlier attempt, stays. Throws 429 beyond the tenant's bytes of a day. */
export const createFile = async (deps: CreateFileDeps, file: NewStoredFile): Promise<FileItem> => {
  const item = await buildFileItem(file);
  const { tenantId, now } = file;
  await requireBytes(deps.db, { tenantId, bytes: item.bytes, now });
  return storeFile(deps, { ...file, item });
};

/** Stores a file, for which there are bytes, by the item that was built for it, and returns the item that is stored. */
export const storeFile = async (
  { db, files }: CreateFileDeps,
  {
    tenantId,
    content,
    sender,
    item,
  }: Pick<NewStoredFile, "tenantId" | "content" | "sender"> & { item: FileItem },
): Promise<FileItem> => {
  if (sender) await putPersonFile(db, tenantId, item, sender);
  await files.put(item.object, content);
  if (await putFile(db, tenantId, item)) return item;
  return (await getFile(db, tenantId, item.id, item.createdAt)) ?? item;
};

/** Builds the item of a new file, with the media type of its content. Other content gets another object. */
export const buildFileItem = async ({
  tenantId,
  id,
  name,
  content,
  creator,
  retentionDays,
  now,
}: NewStoredFile): Promise<FileItem> => {
  const sha256 = createHash("sha256").update(content).digest("hex");
  return {
    id,
    name,
    mediaType: await detectMediaType(content, name),
    bytes: content.byteLength,
    sha256,
    status: "Stored",
    object: `${fileObject(tenantId, { id, retentionDays })}/${sha256.slice(0, digestLength)}`,
    creator,
    retentionDays,
    createdAt: now,
    expiresAt: computeExpiry(now, retentionDays),
  };
};
