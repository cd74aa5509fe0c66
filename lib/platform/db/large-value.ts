import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import * as z from "zod";
import { Bytes } from "./bytes.ts";

/**
 * Stored representation of a JSON value: text when short, compressed when long, and a reference to the bucket when
 * too large for an item (400 KB).
 */
export const PackedValue = z.union([
  z.object({ json: z.string() }),
  z.object({ gzip: Bytes }),
  z.object({ object: z.string() }),
]);
export type PackedValue = z.output<typeof PackedValue>;

/** Storage of values that are too large for an item. */
export type ObjectStore = {
  /** Stores JSON that is compressed with gzip. */
  put: (key: string, body: Uint8Array) => Promise<void>;
  get: (key: string) => Promise<Uint8Array>;
  remove: (keys: readonly string[]) => Promise<void>;
};

const shortBytes = 1_024;
const inlineBytes = 300_000;
const compress = promisify(gzip);
const expand = promisify(gunzip);

/**
 * Packs a JSON value; writes it to the bucket under `objectKey` when it is too large.
 * @param maxInline maximum compressed bytes in the item
 */
export const packValue = async (
  value: unknown,
  objectKey: string,
  objects: ObjectStore,
  maxInline = inlineBytes,
): Promise<PackedValue> => {
  const json = JSON.stringify(value);
  if (json.length <= shortBytes) return { json };
  const compressed = await compress(json);
  if (compressed.byteLength <= maxInline) return { gzip: compressed };
  await objects.put(objectKey, compressed);
  return { object: objectKey };
};

/** Returns the JSON value that was packed. */
export const unpackValue = async (packed: PackedValue, objects: ObjectStore): Promise<unknown> => {
  if ("json" in packed) return JSON.parse(packed.json);
  const compressed = "gzip" in packed ? packed.gzip : await objects.get(packed.object);
  return JSON.parse((await expand(compressed)).toString("utf8"));
};
