import { promisify } from "node:util";
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  gunzip,
  gunzipSync,
  gzip,
  gzipSync,
  inflateRawSync,
} from "node:zlib";
import * as z from "zod";
import { Bytes } from "./bytes.ts";
import { jsonDictionary } from "./json-dictionary.ts";

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

/** Stored representation of a JSON value with as few bytes as possible; `deflate` uses `jsonDictionary`. */
export const TightValue = z.union([
  ...PackedValue.options,
  z.object({ brotli: Bytes }),
  z.object({ deflate: Bytes }),
]);
export type TightValue = z.output<typeof TightValue>;

/** Storage of values that are too large for an item. */
export type ObjectStore = {
  /** Stores JSON that is compressed with gzip. */
  put: (key: string, body: Uint8Array) => Promise<void>;
  get: (key: string) => Promise<Uint8Array>;
  remove: (keys: readonly string[]) => Promise<void>;
};

/** The storage as a purge uses it. */
export type PurgedObjects = Pick<ObjectStore, "remove"> & {
  /** Deletes all objects whose keys start with a prefix. */
  removeUnder: (prefix: string) => Promise<void>;
};

const shortBytes = 1_024;
const inlineBytes = 300_000;
/** Length from which another thread compresses; below it, handing over takes more time than the work. */
const longLength = 16_000;
const compressLong = promisify(gzip);
const expandLong = promisify(gunzip);

const compress = (json: string): Promise<Uint8Array> | Uint8Array =>
  json.length <= longLength ? gzipSync(json) : compressLong(json);

const expand = async (compressed: Uint8Array): Promise<string> => {
  const isLong = compressed.byteLength > longLength;
  return (isLong ? await expandLong(compressed) : gunzipSync(compressed)).toString("utf8");
};

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

/** Characters; a text below it is compressed in microseconds, and best with the dictionary. */
const dictionaryLength = 4_000;
/** Characters; longer texts are compressed with gzip, which objects in the bucket have to be. */
const tightLength = 16_000;

/**
 * Packs a JSON value into as few bytes as possible, since units of items are counted by size. Writes it to the
 * bucket when it has more than `maxInline` compressed bytes, under a key that may depend on them.
 */
export const packTight = async (
  value: unknown,
  buildObjectKey: (compressed: Uint8Array) => string,
  objects: ObjectStore,
  maxInline: number,
): Promise<TightValue> => {
  const json = JSON.stringify(value);
  const tight = json.length <= tightLength ? packText(json) : undefined;
  if (tight && packedBytes(tight) <= maxInline) return tight;
  const compressed = await compress(json);
  if (compressed.byteLength <= maxInline) return { gzip: compressed };
  const object = buildObjectKey(compressed);
  await objects.put(object, compressed);
  return { object };
};

const packText = (json: string): TightValue => {
  const bytes = Buffer.byteLength(json);
  const packed: TightValue =
    json.length <= dictionaryLength
      ? { deflate: deflateRawSync(json, { dictionary: jsonDictionary }) }
      : {
          brotli: brotliCompressSync(json, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: 5,
              [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
            },
          }),
        };
  return packedBytes(packed) < bytes ? packed : { json };
};

/** Returns the bytes of a value that are in its item; none of a value in the bucket. */
export const getInlineBytes = (packed: TightValue): Uint8Array => {
  if ("object" in packed) return new Uint8Array();
  if ("json" in packed) return Buffer.from(packed.json);
  if ("gzip" in packed) return packed.gzip;
  return "brotli" in packed ? packed.brotli : packed.deflate;
};

const packedBytes = (packed: TightValue): number => getInlineBytes(packed).byteLength;

/** Returns the JSON value that was packed. */
export const unpackValue = async (packed: TightValue, objects: ObjectStore): Promise<unknown> => {
  if ("json" in packed) return JSON.parse(packed.json);
  if ("brotli" in packed) return JSON.parse(brotliDecompressSync(packed.brotli).toString("utf8"));
  if ("deflate" in packed) {
    const json = inflateRawSync(packed.deflate, { dictionary: jsonDictionary });
    return JSON.parse(json.toString("utf8"));
  }
  const compressed = "gzip" in packed ? packed.gzip : await objects.get(packed.object);
  return JSON.parse(await expand(compressed));
};
