import { createHash } from "node:crypto";
import * as z from "zod";
import {
  type ObjectStore,
  PackedValue,
  packValue,
  unpackValue,
} from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { DatasetVersion } from "./dataset-item.ts";
import { exampleObjects, exampleRowKey, type RowKey, readRowKey } from "./keys.ts";
import { Example } from "./schemas.ts";

/** Compressed bytes of a content in its row; larger ones are in the bucket. */
const maxInline = 100_000;

/** A row of an example: its content from a version on, or that it was deleted in it. */
export const ExampleRow = z
  .object({
    sk: z.string(),
    hash: z.string().default(""),
    content: PackedValue.optional(),
  })
  .transform(({ sk, ...stored }) => ({ ...readRowKey({ sk }), ...stored }));
export type ExampleRow = z.output<typeof ExampleRow>;

/** Members of a row that a change compares. */
export const comparedMembers = ["sk", "hash"];

const Content = Example.pick({ input: true, expected: true, metadata: true });

/** Returns the hash by which a change recognizes an example that stays as it is. */
export const hashExample = ({ input, expected, metadata, split }: Omit<Example, "id">): string =>
  createHash("sha256")
    .update(JSON.stringify([input, expected, metadata, split]))
    .digest("base64url");

/** Builds the item of a row. Stores a large content in the bucket first. */
export const toRowItem = async (
  objects: ObjectStore,
  place: { tenantId: TenantId; contentId: string; version: number },
  { id, split, ...content }: Example,
) => {
  const { tenantId, contentId, version } = place;
  const key = exampleRowKey(tenantId, contentId, {
    exampleId: id,
    version,
    isDeleted: false,
    split,
  });
  const object = `${exampleObjects(tenantId, contentId)}${id}/${version}`;
  return {
    ...key,
    hash: hashExample({ split, ...content }),
    content: await packValue(content, object, objects, maxInline),
  };
};

/** Returns the example of a row that is not a deletion. */
export const readRow = async (objects: ObjectStore, row: ExampleRow): Promise<Example> => {
  if (!row.content) throw new Error(`the example ${row.exampleId} has no content`);
  const content = Content.parse(await unpackValue(row.content, objects));
  return { id: row.exampleId, ...content, split: row.split };
};

/** Returns whether a row counts in a version: it was written in it or before, by a change that completed. */
export const isInVersion = ({ version, abandoned }: DatasetVersion, row: RowKey): boolean =>
  row.version <= version && !abandoned.includes(row.version);

/**
 * Yields the examples of a version from rows in the order of their keys, holding one at a time: an
 * example is its last row. Only those of a split, if given.
 */
export async function* rowsOfVersion<Row extends RowKey>(
  rows: AsyncIterable<Row>,
  pinned: DatasetVersion,
  split?: string,
): AsyncGenerator<Row> {
  const isWanted = (row: Row | undefined): row is Row =>
    row !== undefined && !row.isDeleted && (split === undefined || row.split === split);
  let last: Row | undefined;
  for await (const row of rows) {
    if (last && last.exampleId !== row.exampleId) {
      if (isWanted(last)) yield last;
      last = undefined;
    }
    if (isInVersion(pinned, row)) last = row;
  }
  if (isWanted(last)) yield last;
}
