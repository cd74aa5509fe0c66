import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { notFound } from "../platform/http/problems.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import { fileObject, pendingObject } from "./file-item.ts";
import { isCreator } from "./read-file.ts";
import { deleteFileItem, getAnyFile } from "./store.ts";

/**
 * Deletes a file and its content: one that the caller stored, for callers with `organization:write` any. Records that name it
 * stay. Throws 404.
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
  const mayDelete =
    item && (isCreator(principal, item) || hasScope(principal, "organization:write"));
  if (!mayDelete) throw notFound("file", fileId);
  if (!(await deleteFileItem(db, tenantId, fileId))) throw notFound("file", fileId);
  const stored = item.status === "Stored" ? item.object : fileObject(tenantId, item);
  await objects.remove([stored, pendingObject(tenantId, fileId)]);
};
