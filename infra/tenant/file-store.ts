import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { trimSlashes } from "../../lib/platform/runtime/trim-end.ts";
import { CommandError } from "../shell/command.ts";

/** Where the files of an export are. A file is whole or not there. */
export type FileStore = {
  /** Where it is, for messages. */
  readonly address: string;
  put: (name: string, content: Uint8Array) => Promise<void>;
  /** Reads a file; undefined when it does not exist. */
  get: (name: string) => Promise<Uint8Array | undefined>;
};

/** A directory; folders and files are their owner's alone. */
const openDirectory = (path: string): FileStore => {
  const directory = resolve(path);
  return {
    address: directory,
    put: async (name, content) => {
      const file = join(directory, name);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.draft`, content, { mode: 0o600, flush: true });
      await rename(`${file}.draft`, file);
    },
    get: async (name) => {
      try {
        return await readFile(join(directory, name));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      }
    },
  };
};

/** A prefix of a bucket. */
const openBucket = (client: S3Client, bucket: string, prefix: string): FileStore => {
  const toKey = (name: string): string => `${prefix}${name}`;
  return {
    address: `s3://${bucket}/${prefix}`,
    put: async (name, Body) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: toKey(name), Body }));
    },
    get: async (name) => {
      try {
        const { Body } = await client.send(
          new GetObjectCommand({ Bucket: bucket, Key: toKey(name) }),
        );
        return await Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
  };
};

/** Opens a directory, or `s3://BUCKET/PREFIX`. Throws a CommandError. */
export const openFileStore = (address: string, client: S3Client): FileStore => {
  if (!address.startsWith("s3://")) return openDirectory(address);
  const [, bucket, prefix] = /^s3:\/\/([a-z0-9.-]+)\/?(.*)$/s.exec(address) ?? [];
  if (bucket === undefined) throw new CommandError(`${address} must be s3://BUCKET/PREFIX`);
  return openBucket(client, bucket, prefix ? `${trimSlashes(prefix)}/` : "");
};

/** Returns the SHA-256 of bytes in hexadecimal digits. */
export const hashBytes = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");
