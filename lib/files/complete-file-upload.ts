import type { Database } from "../platform/db/database.ts";
import type { FileObjects } from "../platform/db/file-objects.ts";
import type { FileUploads } from "../platform/db/file-uploads.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import { conflict, notFound } from "../platform/http/problems.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import { detectMediaType, headBytes } from "./detect-media-type.ts";
import { computeExpiry, type FileItem, fileObject, pendingObject } from "./file-item.ts";
import { isCreator } from "./read-file.ts";
import { completeFile, getAnyFile } from "./store.ts";

/** Dependencies of completing an upload. */
export type CompleteFileDeps = {
  readonly db: Database;
  readonly objects: Pick<ObjectStore, "remove">;
  readonly uploads: Pick<FileUploads, "copy">;
  readonly files: Pick<FileObjects, "digest">;
};

/** Makes an uploaded file of the caller a stored one. Idempotent. Throws 404, and 409 before the file is uploaded. */
export const completeFileUpload = async (
  { db, objects, uploads, files }: CompleteFileDeps,
  { ctx, fileId }: { ctx: Pick<TenantContext, "clock" | "tenant" | "principal">; fileId: string },
): Promise<FileItem> => {
  const tenantId = ctx.tenant.id;
  const pending = await getAnyFile(db, tenantId, fileId, ctx.clock());
  if (!pending || !isCreator(ctx.principal, pending)) throw notFound("file", fileId);
  if (pending.status === "Stored") return pending;
  const { id, name, creator, retentionDays, createdAt } = pending;
  const started = pendingObject(tenantId, id);
  const object = fileObject(tenantId, { id, retentionDays });
  // The copy is read, since the address accepts another file until it expires.
  const isCopied = await uploads.copy(started, object);
  const digest = isCopied ? await files.digest(object, headBytes) : undefined;
  if (digest) {
    const { bytes, sha256, head } = digest;
    const item: FileItem = {
      id,
      name,
      status: "Stored",
      mediaType: await detectMediaType(head, name),
      bytes,
      sha256,
      object,
      creator,
      retentionDays,
      createdAt,
      expiresAt: computeExpiry(createdAt, retentionDays),
    };
    if (await completeFile(db, tenantId, item)) {
      await objects.remove([started]);
      return item;
    }
  }
  const completed = await getAnyFile(db, tenantId, fileId, ctx.clock());
  if (completed?.status === "Stored") return completed;
  if (completed) throw conflict("No file was sent to the address of this upload.");
  // It was deleted meanwhile.
  await objects.remove([object]);
  throw notFound("file", fileId);
};
