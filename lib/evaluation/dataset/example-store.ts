import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { insertTogether } from "../../platform/db/insert-together.ts";
import { type Key, listed } from "../../platform/db/keys.ts";
import { listIndexedKeys } from "../../platform/db/list-indexed-page.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { DatasetVersion } from "./dataset-item.ts";
import { comparedMembers, ExampleRow, isInVersion } from "./example-row.ts";
import { exampleRowsList, type RowKey, readRowKey, rowsAfter, rowsUntil } from "./keys.ts";

/** TENANT#t#DATASET#c / EXAMPLE#…: yields the rows behind an example, by id and version. `limit`: rows of one query. */
export const listRows = (
  db: Database,
  tenantId: TenantId,
  contentId: string,
  { after, limit }: { after: string | null; limit: number },
): AsyncIterable<ExampleRow> =>
  listAll(db, ExampleRow, exampleRowsList(tenantId, contentId), {
    between: rowsAfter(after),
    limit,
  });

/** TENANT#t#DATASET#c / EXAMPLE#…: yields the keys of all rows from the listing index, eventually consistent. */
export async function* listRowKeys(
  db: Database,
  tenantId: TenantId,
  contentId: string,
): AsyncGenerator<RowKey> {
  const list = exampleRowsList(tenantId, contentId);
  for await (const key of listIndexedKeys(db, { list })) yield readRowKey(key);
}

const PlainKey = z.object({ pk: z.string(), sk: z.string() });

/** TENANT#t#DATASET#c / EXAMPLE#…: yields the keys of all rows, strongly consistent. */
export const listStoredKeys = (
  db: Database,
  tenantId: TenantId,
  contentId: string,
): AsyncIterable<Key> =>
  listAll(db, PlainKey, exampleRowsList(tenantId, contentId), { members: ["pk", "sk"] });

/** TENANT#t#DATASET#c / EXAMPLE#id#…: returns the last row of an example in a version; undefined for none. */
export const findRow = (
  db: Database,
  tenantId: TenantId,
  pinned: DatasetVersion,
  exampleId: string,
): Promise<ExampleRow | undefined> =>
  firstInVersion(
    pinned,
    listAll(
      db,
      ExampleRow,
      exampleRowsList(tenantId, pinned.contentId),
      lastRows(pinned, exampleId),
    ),
  );

/** TENANT#t#DATASET#c / EXAMPLE#id#…: like `findRow`, but reads only what a change compares, not the content. */
export const findRowToCompare = (
  db: Database,
  tenantId: TenantId,
  pinned: DatasetVersion,
  exampleId: string,
): Promise<ExampleRow | undefined> =>
  firstInVersion(
    pinned,
    listAll(db, ExampleRow, exampleRowsList(tenantId, pinned.contentId), {
      ...lastRows(pinned, exampleId),
      members: comparedMembers,
    }),
  );

/** Range of an example's rows that has the last one of a version: those of abandoned changes may be behind it. */
const lastRows = ({ version, abandoned }: DatasetVersion, exampleId: string) => ({
  between: rowsUntil(exampleId, version),
  newestFirst: true,
  limit: 1 + abandoned.length,
});

const firstInVersion = async (
  pinned: DatasetVersion,
  rows: AsyncIterable<ExampleRow>,
): Promise<ExampleRow | undefined> => {
  for await (const row of rows) if (isInVersion(pinned, row)) return row;
  return undefined;
};

/** Writes new rows. Throws when one of them was not written. */
export const insertRows = async (
  db: Database,
  rows: readonly (Key & Record<string, unknown>)[],
): Promise<void> => {
  const outcomes = await insertTogether(
    db,
    rows.map((row) => ({ ...row, ...listed({ pk: row.pk, sk: row.sk }) })),
  );
  for (const outcome of outcomes) {
    if (outcome === "exists") throw new Error("a row of this version was written before");
    if (outcome !== "written") throw outcome.error;
  }
};
