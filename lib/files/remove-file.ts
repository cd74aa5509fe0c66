import type { Database } from "../platform/db/database.ts";
import type { FileObjects } from "../platform/db/file-objects.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { FileItem } from "./file-item.ts";
import { deleteFileItem } from "./store.ts";

/** Removes a stored file and its content. */
export const removeFile = async (
  { db, objects }: { db: Database; objects: Pick<FileObjects, "remove"> },
  { tenantId, item: { id, object } }: { tenantId: TenantId; item: Pick<FileItem, "id" | "object"> },
): Promise<void> => {
  await objects.remove(object);
  await deleteFileItem(db, tenantId, id);
};
