import { createHash } from "node:crypto";
import {
  Metadata,
  openVectorIndex,
  type VectorIndex,
} from "../../infra/local/vectors/vector-index.ts";
import type { VectorStore } from "../../lib/knowledge/index/vector-store.ts";
import type { FileObjects } from "../../lib/platform/db/file-objects.ts";
import type { FileUploads } from "../../lib/platform/db/file-uploads.ts";
import type { ObjectStore, PurgedObjects } from "../../lib/platform/db/large-value.ts";
import type { Sealer } from "../../lib/platform/db/seal.ts";

/** Creates an in-memory bucket. */
export const memoryObjects = (): ObjectStore & PurgedObjects & { all: Map<string, Uint8Array> } => {
  const all = new Map<string, Uint8Array>();
  return {
    all,
    put: async (key, body) => {
      all.set(key, body);
    },
    get: async (key) => {
      const body = all.get(key);
      if (!body) throw new Error(`no object ${key}`);
      return body;
    },
    remove: async (keys) => {
      for (const key of keys) all.delete(key);
    },
    removeUnder: async (prefix) => {
      for (const key of all.keys()) if (key.startsWith(prefix)) all.delete(key);
    },
  };
};

/** Creates uploads to an in-memory bucket; the file of a signed URL is put with the bucket itself. */
export const memoryUploads = ({ all }: { all: Map<string, Uint8Array> }): FileUploads => ({
  sign: async (key, { size }) => `memory:${key}?size=${size}`,
  getSize: async (key) => all.get(key)?.byteLength,
  copy: async (from, to) => {
    const body = all.get(from);
    if (body) all.set(to, body);
    return body !== undefined;
  },
});

/** Creates files in an in-memory bucket. A download has no signature. */
export const memoryFiles = ({ all }: { all: Map<string, Uint8Array> }): FileObjects => ({
  put: async (key, content) => {
    all.set(key, content);
  },
  get: async (key) => all.get(key),
  remove: async (key) => {
    all.delete(key);
  },
  digest: async (key, headBytes) => {
    const content = all.get(key);
    return (
      content && {
        bytes: content.byteLength,
        sha256: createHash("sha256").update(content).digest("hex"),
        head: content.subarray(0, headBytes),
      }
    );
  },
  signDownload: async (key, { name }) => `memory:${key}?name=${name}`,
});

/** Creates vector indexes in memory, with the local engine. */
export const memoryVectors = (): VectorStore & {
  all: Map<string, VectorIndex>;
  /** Returns the number of vectors that were stored so far. */
  written: () => number;
} => {
  const all = new Map<string, VectorIndex>();
  let written = 0;
  return {
    all,
    written: () => written,
    createIndex: async (index, dimension) => {
      if (all.has(index)) return;
      const nonFilterableMetadataKeys: string[] = [];
      all.set(
        index,
        openVectorIndex(":memory:", {
          dimension,
          distanceMetric: "cosine",
          nonFilterableMetadataKeys,
        }),
      );
    },
    put: async (index, vectors) => {
      written += vectors.length;
      all.get(index)?.put(
        vectors.map(({ key, values, metadata }) => ({
          key,
          values: Float32Array.from(values),
          metadata: Metadata.parse(metadata),
        })),
      );
    },
    remove: async (index, keys) => all.get(index)?.remove(keys),
    query: async (index, { values, topK, filter }) =>
      all.get(index)?.query(Float32Array.from(values), topK, filter) ?? [],
  };
};

/**
 * Creates a sealer with values that can only be opened in the context in which they were sealed.
 */
export const memorySealer = (): Sealer & { opened: number } => {
  const digest = (context: unknown) =>
    createHash("sha256").update(JSON.stringify(context)).digest();
  const sealer = {
    opened: 0,
    seal: async (value: unknown, context: unknown) => ({
      dataKey: digest(context),
      nonce: new Uint8Array(1),
      tag: new Uint8Array(1),
      ciphertext: Buffer.from(JSON.stringify(value)).reverse(),
    }),
    open: async (sealed: { dataKey: Uint8Array; ciphertext: Uint8Array }, context: unknown) => {
      sealer.opened += 1;
      if (!digest(context).equals(sealed.dataKey)) throw new Error("sealed for another context");
      return JSON.parse(Buffer.from(sealed.ciphertext).reverse().toString());
    },
  };
  return sealer;
};
