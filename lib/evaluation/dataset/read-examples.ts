import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import type { DatasetVersion } from "./dataset-item.ts";
import { readRow, rowsOfVersion } from "./example-row.ts";
import { findRow, listRowKeys, listRows, listStoredKeys } from "./example-store.ts";
import { type RowKey, readRowKey } from "./keys.ts";
import type { Example } from "./schemas.ts";

/** Rows to read beyond those of a page: the first that is not in it, and the next one, which shows that it is its last. */
const rowsBeyond = 2;

type Storage = { readonly db: Database; readonly objects: ObjectStore };

/**
 * The examples to read: `split` undefined for all; those after the example `after`, null for the
 * first.
 */
export type Reading = { split?: string | undefined; after: string | null; limit: number };

/**
 * Reads the next examples of a version, by id. `after` of the result is the position of the next call, null when there
 * are no more.
 */
export const readExamples = async (
  { db, objects }: Storage,
  {
    tenantId,
    pinned,
    reading: { split, after, limit },
  }: { tenantId: TenantId; pinned: DatasetVersion; reading: Reading },
): Promise<{ items: Example[]; after: string | null }> => {
  const items: Example[] = [];
  const rows = listRows(db, tenantId, pinned.contentId, { after, limit: limit + rowsBeyond });
  for await (const row of rowsOfVersion(rows, pinned, split)) {
    if (items.length === limit) return { items, after: items.at(-1)?.id ?? null };
    items.push(await readRow(objects, row));
  }
  return { items, after: null };
};

/** Reads an example as it was in a version; undefined when it was not in it. */
export const readExample = async (
  { db, objects }: Storage,
  {
    tenantId,
    pinned,
    exampleId,
  }: { tenantId: TenantId; pinned: DatasetVersion; exampleId: string },
): Promise<Example | undefined> => {
  const row = await findRow(db, tenantId, pinned, exampleId);
  return row && !row.isDeleted ? readRow(objects, row) : undefined;
};

/** Counts the examples of a version, of a split if given, by the keys of their rows. */
export const countExamples = async (
  db: Database,
  tenantId: TenantId,
  pinned: DatasetVersion,
  split?: string,
): Promise<number> => {
  let count = 0;
  for await (const _ of rowsOfVersion(storedKeys(db, tenantId, pinned), pinned, split)) count += 1;
  return count;
};

async function* storedKeys(
  db: Database,
  tenantId: TenantId,
  { contentId }: DatasetVersion,
): AsyncGenerator<RowKey> {
  for await (const key of listStoredKeys(db, tenantId, contentId)) yield readRowKey(key);
}

/**
 * Returns one page of the examples of a version, by id. Skipped ones are counted by keys in the listing index. A page
 * ends early when the response would be too large for a function; `nextPageToken` continues it.
 */
export const listExamples = async (
  { db, objects }: Storage,
  {
    tenantId,
    pinned,
    split,
    page,
  }: { tenantId: TenantId; pinned: DatasetVersion; split: string | undefined; page: PageRequest },
): Promise<Page<Example>> => {
  const after = await idBefore(db, tenantId, pinned, { split, skip: page.skip });
  if (after === "beyond") return { items: [], nextPageToken: null };
  const items: Example[] = [];
  let bytes = 0;
  const rows = listRows(db, tenantId, pinned.contentId, {
    ...after,
    limit: page.size + rowsBeyond,
  });
  for await (const row of rowsOfVersion(rows, pinned, split)) {
    const next = { items, nextPageToken: String(page.skip + items.length) };
    if (items.length === page.size) return next;
    const example = await readRow(objects, row);
    bytes += responseBytes(example);
    if (bytes > maxResponseBytes && items.length > 0) return next;
    items.push(example);
  }
  return { items, nextPageToken: null };
};

/** Returns the position behind the first `skip` examples. */
const idBefore = async (
  db: Database,
  tenantId: TenantId,
  pinned: DatasetVersion,
  { split, skip }: { split: string | undefined; skip: number },
): Promise<{ after: string | null } | "beyond"> => {
  if (skip === 0) return { after: null };
  let left = skip;
  const keys = listRowKeys(db, tenantId, pinned.contentId);
  for await (const { exampleId } of rowsOfVersion(keys, pinned, split)) {
    left -= 1;
    if (left === 0) return { after: exampleId };
  }
  return "beyond";
};
