import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { chooseEncoding, type Encoding } from "./accepted-encoding.ts";

const compressible = new Set([".css", ".html", ".js", ".json", ".svg"]);

/** Below this, a packet has the file as it is. */
const minCompressedBytes = 1_400;

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** A file as it is sent. */
export type StaticFile = { body: Buffer; headers: Record<string, string> };

/** Reads a file of a built site in the encoding that the caller accepts. */
export type ReadStaticFile = (
  name: string,
  acceptEncoding: string | undefined,
) => Promise<StaticFile>;

/** Creates a reader of the files of a directory, which do not change: it compresses every file once and keeps it in memory. */
export const createStaticFiles = (directory: string): ReadStaticFile => {
  const kept = new Map<string, Promise<StaticFile>>();
  return (name, acceptEncoding) => {
    const isText = compressible.has(extname(name));
    const encoding = isText ? chooseEncoding(acceptEncoding) : undefined;
    const key = `${encoding} ${name}`;
    const file = kept.get(key) ?? load(join(directory, name), encoding, isText);
    kept.set(key, file);
    file.catch(() => kept.delete(key));
    return file;
  };
};

const load = async (
  path: string,
  wanted: Encoding | undefined,
  isText: boolean,
): Promise<StaticFile> => {
  const bytes = await readFile(path);
  const encoding = bytes.length < minCompressedBytes ? undefined : wanted;
  const body = encoding === undefined ? bytes : await compressors[encoding](bytes);
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return {
    body,
    headers: {
      // Each encoding is a representation of its own.
      ETag: `"${hash}${encoding === undefined ? "" : `-${encoding}`}"`,
      ...(isText && { Vary: "Accept-Encoding" }),
      ...(encoding !== undefined && { "Content-Encoding": encoding }),
      "Content-Length": String(body.length),
    },
  };
};

/** Returns whether an `If-None-Match` header names a tag. */
export const matchesTag = (header: string | undefined, tag: string): boolean =>
  (header ?? "")
    .split(",")
    .map((text) => text.trim().replace(/^W\//, ""))
    .some((text) => text === tag || text === "*");
