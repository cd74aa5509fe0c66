import { ifExists } from "../platform/db/conditions.ts";
import type { Database } from "../platform/db/database.ts";
import { getItem } from "../platform/db/get-item.ts";
import { getItems } from "../platform/db/get-items.ts";
import { listPage } from "../platform/db/list-page.ts";
import { expectMembers } from "../platform/db/patch-item.ts";
import { tableAttributes } from "../platform/db/table.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { transact } from "../platform/db/transact.ts";
import { deleteItem, putItem } from "../platform/db/write-item.ts";
import { AnyFileItem, type FileItem, FileUse, type PendingFile } from "./file-item.ts";
import { fileKey, fileUseKey, fileUsesList } from "./keys.ts";

const toTtl = (time: number) => ({ [tableAttributes.timeToLive]: Math.ceil(time / 1_000) });

/** An execution that uses a file. */
export type UsingExecution = { agentId: string; executionId: string };

/** Returns a file that has not expired, also one that is not uploaded yet. */
export const getAnyFile = async (
  db: Database,
  tenantId: TenantId,
  fileId: string,
  now: number,
): Promise<FileItem | PendingFile | undefined> => {
  const item = await getItem(db, fileKey(tenantId, fileId), AnyFileItem);
  return item && now < item.expiresAt ? item : undefined;
};

/** Returns a stored file that has not expired. */
export const getFile = async (
  db: Database,
  tenantId: TenantId,
  fileId: string,
  now: number,
): Promise<FileItem | undefined> => {
  const item = await getAnyFile(db, tenantId, fileId, now);
  return item?.status === "Stored" ? item : undefined;
};

/** Returns a stored file that has not expired and that an execution uses. */
export const getUsedFile = async (
  db: Database,
  tenantId: TenantId,
  { fileId, user, now }: { fileId: string; user: UsingExecution; now: number },
): Promise<FileItem | undefined> => {
  const keys = [fileKey(tenantId, fileId), fileUseKey(tenantId, fileId, user)];
  const [item, use] = await getItems(db, keys, AnyItem);
  return use && item && "status" in item && item.status === "Stored" && now < item.expiresAt
    ? item
    : undefined;
};

const AnyItem = AnyFileItem.or(FileUse);

/** Stores a new file's item. */
export const putFile = async (
  db: Database,
  tenantId: TenantId,
  item: FileItem | PendingFile,
): Promise<void> => {
  const Item = { ...fileKey(tenantId, item.id), ...item, ...toTtl(item.expiresAt) };
  await putItem(db, { Item });
};

/** Stores a file that its execution uses from the beginning. */
export const putUsedFile = async (
  db: Database,
  tenantId: TenantId,
  item: FileItem,
  use: FileUse,
): Promise<void> => {
  const Item = { ...fileKey(tenantId, item.id), ...item, ...toTtl(item.expiresAt) };
  await transact(db, [{ Put: { Item } }, { Put: { Item: toUse(tenantId, item, use) } }]);
};

/** Notes that an execution uses a file, until the file expires. */
export const putFileUse = async (
  db: Database,
  tenantId: TenantId,
  file: Pick<FileItem, "id" | "expiresAt">,
  use: FileUse,
): Promise<void> => {
  await putItem(db, { Item: toUse(tenantId, file, use) });
};

const toUse = (
  tenantId: TenantId,
  { id, expiresAt }: Pick<FileItem, "id" | "expiresAt">,
  use: FileUse,
) => ({ ...fileUseKey(tenantId, id, use), ...use, ...toTtl(expiresAt) });

/** Replaces the item of a pending file by that of the stored one; false when it is not pending any more. */
export const completeFile = async (
  db: Database,
  tenantId: TenantId,
  item: FileItem,
): Promise<boolean> => {
  const key = fileKey(tenantId, item.id);
  const { Key: _, ...condition } = expectMembers(key, { status: "Pending" });
  const Item = { ...key, ...item, ...toTtl(item.expiresAt) };
  return (await putItem(db, { Item, ...condition })).written;
};

/** Deletes a file's item; false when there is none. */
export const deleteFileItem = async (
  db: Database,
  tenantId: TenantId,
  fileId: string,
): Promise<boolean> =>
  (await deleteItem(db, { Key: fileKey(tenantId, fileId), ...ifExists })).written;

/** Returns the uses of a file, those of the first 200 executions. */
export const listFileUses = async (
  db: Database,
  tenantId: TenantId,
  fileId: string,
): Promise<FileUse[]> => {
  const request = { list: fileUsesList(tenantId, fileId), isIndexed: false };
  return (await listPage(db, FileUse, request, { size: 200, skip: 0 })).items;
};
