import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { notFound } from "../platform/http/problems.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import { type FileItem, fileObject, type PendingFile, pendingObject } from "./file-item.ts";
import { isCreator } from "./read-file.ts";
import { deleteFileItem, getAnyFile, listFileUses } from "./store.ts";

/**
 * Deletes a file and its content: one that the caller stored, or that an execution made that the caller started; for callers with
 * `organization:write` any. Records that name it stay. Throws 404.
 */
export const deleteFile = async (
  { db, objects }: { db: Database; objects: Pick<ObjectStore, "remove"> },
  {
    tenantId,
    principal,
    fileId,
    now,
  }: { tenantId: TenantId; principal: Principal; fileId: string; now: number },
): Promise<void> => {
  const item = await getAnyFile(db, tenantId, fileId, now);
  if (!item || !(await mayDelete(db, { tenantId, principal, item }))) {
    throw notFound("file", fileId);
  }
  const stored = item.status === "Stored" ? item.object : fileObject(tenantId, item);
  // An item that is left is deleted by a repeated request.
  await objects.remove([stored, pendingObject(tenantId, fileId)]);
  if (!(await deleteFileItem(db, tenantId, fileId))) throw notFound("file", fileId);
};

const mayDelete = async (
  db: Database,
  {
    tenantId,
    principal,
    item,
  }: { tenantId: TenantId; principal: Principal; item: FileItem | PendingFile },
): Promise<boolean> => {
  if (isCreator(principal, item) || hasScope(principal, "organization:write")) return true;
  if (item.creator.type !== "Execution") return false;
  const uses = await listFileUses(db, tenantId, item.id);
  return uses.some(({ starter }) => starter === principal.id);
};
