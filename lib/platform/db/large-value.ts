import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, gunzip, gzip, inflateRaw, inflateRawSync } from "node:zlib";
import * as z from "zod";
import { Bytes } from "./bytes.ts";
import { jsonDictionary as dictionary } from "./json-dictionary.ts";

/**
 * Stored representation of a JSON value: deflate with `jsonDictionary`, or a reference to the bucket when it is too large
 * for its item. An object has the content encoding gzip, because links to it are opened by browsers.
 */
export const PackedValue = z.union([
  z.object({ deflate: Bytes }),
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

/** The storage as a purge uses it. */
export type PurgedObjects = Pick<ObjectStore, "remove"> & {
  /** Deletes all objects with a prefix. */
  removeUnder: (prefix: string) => Promise<void>;
};

const inlineBytes = 300_000;
/** Length from which another thread compresses; below it, handing over takes more time than the work. */
const longLength = 16_000;
const [deflateLong, inflateLong] = [promisify(deflateRaw), promisify(inflateRaw)];
const [compressObject, expandObject] = [promisify(gzip), promisify(gunzip)];

/**
 * Packs a JSON value into as few bytes as possible, since units of items are counted by size. Writes it to the bucket
 * when it has more than `maxInline` compressed bytes, under a key that may depend on those of the object.
 *
 * Deflate with the dictionary costs least at 1 to 4 KB of text (docs/benchmarks.md, compression): a KB written costs as
 * much as 50 ms of processor time, and only brotli is as small, in twice the time.
 */
export const packValue = async (
  value: unknown,
  objectKey: string | ((compressed: Uint8Array) => string | Promise<string>),
  objects: ObjectStore,
  maxInline = inlineBytes,
): Promise<PackedValue> => {
  const json = JSON.stringify(value);
  const packed = maxInline > 0 ? await packText(json) : undefined;
  if (packed && packed.deflate.byteLength <= maxInline) return packed;
  const compressed = await compressObject(json);
  const object = typeof objectKey === "string" ? objectKey : await objectKey(compressed);
  await objects.put(object, compressed);
  return { object };
};

/** Text becomes at most 5 bytes longer by this, so that no value needs a form without compression. */
const packText = async (json: string): Promise<{ deflate: Uint8Array }> => {
  const isLong = json.length > longLength;
  const options = { dictionary };
  return { deflate: isLong ? await deflateLong(json, options) : deflateRawSync(json, options) };
};

/** Returns the bytes of a value that are in its item; none of a value in the bucket. */
export const getInlineBytes = (packed: PackedValue): Uint8Array =>
  "object" in packed ? new Uint8Array() : packed.deflate;

/** Returns the JSON value that was packed. */
export const unpackValue = async (packed: PackedValue, objects: ObjectStore): Promise<unknown> =>
  JSON.parse(await unpackText(packed, objects));

/** A packed value in its item. */
type InlineValue = Extract<PackedValue, { deflate: unknown }>;

/** Returns the JSON of a value in its item; undefined where it has more than `maxBytes`. */
export const expandInline = ({ deflate }: InlineValue, maxBytes: number): string | undefined => {
  try {
    return String(inflateRawSync(deflate, { dictionary, maxOutputLength: maxBytes }));
  } catch (error) {
    if (error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      return undefined;
    }
    throw error;
  }
};

const unpackText = async (packed: PackedValue, objects: ObjectStore): Promise<string> => {
  if ("object" in packed) return String(await expandObject(await objects.get(packed.object)));
  const isLong = packed.deflate.byteLength > longLength;
  const options = { dictionary };
  return String(
    isLong ? await inflateLong(packed.deflate, options) : inflateRawSync(packed.deflate, options),
  );
};

/** A packed value in a queue message. */
export const QueuedValue = z.union([
  z.object({ deflate: z.base64() }),
  z.object({ object: z.string() }),
]);
export type QueuedValue = z.output<typeof QueuedValue>;

/** Converts a packed value for a queue message. */
export const toQueued = (packed: PackedValue): QueuedValue =>
  "deflate" in packed ? { deflate: Buffer.from(packed.deflate).toString("base64") } : packed;

/** Converts the packed value of a queue message. */
export const fromQueued = (queued: QueuedValue): PackedValue =>
  "deflate" in queued ? { deflate: Buffer.from(queued.deflate, "base64") } : queued;
