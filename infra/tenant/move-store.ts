import * as z from "zod";
import type { Database } from "../../lib/platform/db/database.ts";
import { getItem } from "../../lib/platform/db/get-item.ts";
import type { Key } from "../../lib/platform/db/keys.ts";
import { listAll } from "../../lib/platform/db/list-page.ts";
import { deleteItem, putItem } from "../../lib/platform/db/write-item.ts";

/** All imports and deletions of tenants: they are few. */
const partition = "TENANT-MOVES";
const importKey = (tenantId: string): Key => ({ pk: partition, sk: `IMPORT#${tenantId}` });
const deletionKey = (tenantId: string): Key => ({ pk: partition, sk: `DELETION#${tenantId}` });

/** An import under way. */
const ImportState = z.object({
  exportId: z.string(),
  /** Whether the organization had another tenant before: its items are kept then. */
  isOrganizationKept: z.boolean(),
  /** Number of steps that are done. */
  done: z.int(),
});
export type ImportState = z.output<typeof ImportState>;

/** TENANT-MOVES / IMPORT#tenant: reads the import of a tenant that is under way. */
export const getImport = (db: Database, tenantId: string): Promise<ImportState | undefined> =>
  getItem(db, importKey(tenantId), ImportState);

/** Writes how far the import of a tenant is. */
export const putImport = async (
  db: Database,
  tenantId: string,
  state: ImportState,
): Promise<void> => {
  await putItem(db, { Item: { ...importKey(tenantId), ...state } });
};

/** Ends an import. */
export const removeImport = async (db: Database, tenantId: string): Promise<void> => {
  await deleteItem(db, { Key: importKey(tenantId) });
};

const Position = z.object({ pk: z.string(), sk: z.string() });

/** A deletion of a tenant, under way or finished. Times in Unix milliseconds. */
const Deletion = z.object({
  tenantId: z.string(),
  slug: z.string(),
  organizationId: z.string(),
  isOnlyTenant: z.boolean(),
  /** Ids of the organization's API keys. */
  keys: z.array(z.string()),
  ownKeys: z.array(z.string()),
  foreignKeys: z.array(z.string()),
  /** Names of the indexes of its vectors. */
  indexes: z.array(z.string()),
  /** Names of its schedules. */
  schedules: z.array(z.string()),
  /** When the tenant ceased to exist. */
  closedAt: z.int(),
  /** When running work had ended; null before. */
  drainedAt: z.int().nullable(),
  /** Where the table is read on. */
  segments: z.array(z.object({ after: Position.optional(), isDone: z.boolean() })),
  /** Number of deleted items, by family. */
  deleted: z.record(z.string(), z.int()),
  /** Null while it is under way. */
  finishedAt: z.int().nullable(),
  /** Expiry of a finished one, Unix seconds. */
  ttl: z.int().optional(),
});
export type Deletion = z.output<typeof Deletion>;

/** TENANT-MOVES / DELETION#tenant: finds the deletion of a tenant by id or slug, the newest of a slug. */
export const findDeletion = async (
  db: Database,
  idOrSlug: string,
): Promise<Deletion | undefined> => {
  const known = await getItem(db, deletionKey(idOrSlug), Deletion);
  if (known) return known;
  const list = { pk: partition, prefix: "DELETION#" };
  const all = await Array.fromAsync(listAll(db, Deletion, list));
  return all
    .filter(({ slug }) => slug === idOrSlug)
    .toSorted((one, other) => other.closedAt - one.closedAt)[0];
};

/** Writes how far a deletion is. */
export const putDeletion = async (db: Database, deletion: Deletion): Promise<void> => {
  await putItem(db, { Item: { ...deletionKey(deletion.tenantId), ...deletion } });
};

/** Builds the item of a deletion, for a transaction. */
export const buildDeletionItem = (deletion: Deletion) => ({
  ...deletionKey(deletion.tenantId),
  ...deletion,
});
