import * as z from "zod";
import { ifExists, ifNew } from "../platform/db/conditions.ts";
import type { Database } from "../platform/db/database.ts";
import { getItem } from "../platform/db/get-item.ts";
import { getItems } from "../platform/db/get-items.ts";
import type { Key } from "../platform/db/keys.ts";
import { listAll, listPage } from "../platform/db/list-page.ts";
import { expectMembers } from "../platform/db/patch-item.ts";
import { tableAttributes } from "../platform/db/table.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { transact } from "../platform/db/transact.ts";
import { deleteItem, putItem, updateItem } from "../platform/db/write-item.ts";
import { AnyFileItem, type FileItem, FileUse, type PendingFile, PersonFile } from "./file-item.ts";
import {
  fileKey,
  fileUseKey,
  fileUsesList,
  personFileKey,
  personFilesList,
  storedBytesKey,
} from "./keys.ts";

const toTtl = (time: number) => ({ [tableAttributes.timeToLive]: Math.ceil(time / 1_000) });

/** The person who sent a file (`toPersonMark`), and when, in Unix milliseconds. */
export type FileSender = { person: string; sentAt: number };

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

/** Returns the first of several stored files that has not expired; undefined for none. */
export const findFile = async (
  db: Database,
  { tenantId, ids, now }: { tenantId: TenantId; ids: readonly string[]; now: number },
): Promise<FileItem | undefined> => {
  const found = await Promise.all(ids.map((id) => getFile(db, tenantId, id, now)));
  return found.find((item) => item !== undefined);
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

/** Stores a new file's item; false when there is one. */
export const putFile = async (
  db: Database,
  tenantId: TenantId,
  item: FileItem | PendingFile,
): Promise<boolean> => (await putItem(db, { Item: toFileItem(tenantId, item), ...ifNew })).written;

/** Stores a new file that an execution uses from the beginning; false when there is one. */
export const putUsedFile = async (
  db: Database,
  tenantId: TenantId,
  item: FileItem,
  use: FileUse,
): Promise<boolean> => {
  const { written } = await transact(db, [
    { Put: { Item: toFileItem(tenantId, item), ...ifNew } },
    { Put: { Item: toUse(tenantId, item, use) } },
  ]);
  return written;
};

const toFileItem = (tenantId: TenantId, item: FileItem | PendingFile) => ({
  ...fileKey(tenantId, item.id),
  ...item,
  ...toTtl(item.expiresAt),
});

/** Notes that an execution uses a file, until the file expires. */
export const putFileUse = async (
  db: Database,
  tenantId: TenantId,
  file: Pick<FileItem, "id" | "expiresAt">,
  use: FileUse,
): Promise<void> => {
  await putItem(db, { Item: toUse(tenantId, file, use) });
};

/** Notes that a person sent a file, first at `sentAt`, until the file expires. `person`: see `toPersonMark`. */
export const putPersonFile = async (
  db: Database,
  tenantId: TenantId,
  { id, object, expiresAt }: Pick<FileItem, "id" | "object" | "expiresAt">,
  { person, sentAt }: FileSender,
): Promise<void> => {
  const { timeToLive } = tableAttributes;
  await updateItem(db, {
    Key: personFileKey(tenantId, person, id),
    UpdateExpression:
      "SET #id = :id, #object = :object, #ttl = :ttl, #sentAt = if_not_exists(#sentAt, :sentAt)",
    ExpressionAttributeNames: {
      ...{ "#id": "id", "#object": "object", "#sentAt": "sentAt" },
      "#ttl": timeToLive,
    },
    ExpressionAttributeValues: {
      ...{ ":id": id, ":object": object, ":sentAt": sentAt },
      ":ttl": toTtl(expiresAt)[timeToLive],
    },
  });
};

/** Lists the files that a person sent. */
export const listPersonFiles = (
  db: Database,
  tenantId: TenantId,
  person: string,
): AsyncIterable<PersonFile & Key> =>
  listAll(
    db,
    PersonFile.extend({ pk: z.string(), sk: z.string() }),
    personFilesList(tenantId, person),
  );

/** Deletes the use of a file by an execution, if there is one. */
export const deleteFileUse = async (
  db: Database,
  tenantId: TenantId,
  fileId: string,
  user: UsingExecution,
): Promise<void> => {
  await deleteItem(db, { Key: fileUseKey(tenantId, fileId, user) });
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
  return (await putItem(db, { Item: toFileItem(tenantId, item), ...condition })).written;
};

/** Time for which the bytes of a day are kept. */
const countedMs = 2 * 24 * 60 * 60_000;

/** Adds to the bytes of the files that a tenant stores on a day, unless they would be more than `most`; false then. */
export const addStoredBytes = async (
  db: Database,
  tenantId: TenantId,
  { day, bytes, most, now }: { day: string; bytes: number; most: number; now: number },
): Promise<boolean> => {
  if (bytes > most) return false;
  const { written } = await updateItem(db, {
    Key: storedBytesKey(tenantId, day),
    UpdateExpression: "ADD #bytes :bytes SET #ttl = if_not_exists(#ttl, :ttl)",
    ConditionExpression: "attribute_not_exists(#bytes) OR #bytes <= :left",
    ExpressionAttributeNames: { "#bytes": "bytes", "#ttl": tableAttributes.timeToLive },
    ExpressionAttributeValues: {
      ":bytes": bytes,
      ":left": most - bytes,
      ":ttl": Math.ceil((now + countedMs) / 1_000),
    },
  });
  return written;
};

/** Deletes a file's item; false when there is none. */
export const deleteFileItem = async (
  db: Database,
  tenantId: TenantId,
  fileId: string,
): Promise<boolean> =>
  (await deleteItem(db, { Key: fileKey(tenantId, fileId), ...ifExists })).written;

/** Returns the uses of a file, those of its last 200 executions. */
export const listFileUses = async (
  db: Database,
  tenantId: TenantId,
  fileId: string,
): Promise<FileUse[]> => {
  const request = { list: fileUsesList(tenantId, fileId), newestFirst: true, isIndexed: false };
  return (await listPage(db, FileUse, request, { size: 200, skip: 0 })).items;
};
