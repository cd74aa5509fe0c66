import { createHash } from "node:crypto";
import { awsRetries } from "../runtime/aws-retry.ts";
import { bucketName } from "../runtime/env.ts";
import { once } from "../runtime/once.ts";
import { uploadType } from "./file-uploads.ts";

/** The size and SHA-256 of a file, and how it begins. */
export type FileDigest = { bytes: number; sha256: string; head: Uint8Array };

/** Files in the bucket, as they are. */
export type FileObjects = {
  put: (key: string, content: Uint8Array) => Promise<void>;
  /** Undefined when there is none. */
  get: (key: string) => Promise<Uint8Array | undefined>;
  remove: (key: string) => Promise<void>;
  /** Reads a file without holding it; undefined when there is none. */
  digest: (key: string, headBytes: number) => Promise<FileDigest | undefined>;
  /** Returns a URL that downloads a file for five minutes, with this function's permission. */
  signDownload: (key: string, file: { name: string; mediaType: string }) => Promise<string>;
};

const downloadSeconds = 300;

const s3 = once(async () => {
  const sdk = await import("@aws-sdk/client-s3");
  return { sdk, client: new sdk.S3Client({ retryStrategy: awsRetries() }) };
});

/** Creates the store of files in the bucket. */
export const fileObjects = (): FileObjects => ({
  put: async (Key, Body) => {
    const { sdk, client } = await s3();
    const form = { ContentType: uploadType };
    await client.send(new sdk.PutObjectCommand({ Bucket: bucketName(), Key, Body, ...form }));
  },
  get: async (Key) => (await openObject(Key))?.transformToByteArray(),
  remove: async (Key) => {
    const { sdk, client } = await s3();
    await client.send(new sdk.DeleteObjectCommand({ Bucket: bucketName(), Key }));
  },
  digest: async (Key, headBytes) => {
    const body = await openObject(Key);
    if (!body) return undefined;
    const hash = createHash("sha256");
    const head: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body.transformToWebStream()) {
      hash.update(chunk);
      if (bytes < headBytes) head.push(chunk);
      bytes += chunk.byteLength;
    }
    return { bytes, sha256: hash.digest("hex"), head: Buffer.concat(head).subarray(0, headBytes) };
  },
  signDownload: async (Key, { name, mediaType }) => {
    const [{ sdk, client }, { getSignedUrl }] = await Promise.all([
      s3(),
      import("@aws-sdk/s3-request-presigner"),
    ]);
    const command = new sdk.GetObjectCommand({
      Bucket: bucketName(),
      Key,
      ResponseContentDisposition: attachment(name),
      ResponseContentType: mediaType,
    });
    return getSignedUrl(client, command, { expiresIn: downloadSeconds });
  },
});

/** S3 responds 403 for an object that does not exist to callers that may not list the bucket. */
const missing: readonly unknown[] = [403, 404];

const openObject = async (Key: string) => {
  const { sdk, client } = await s3();
  try {
    const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucketName(), Key }));
    if (!Body) throw new Error("the bucket responded without a body");
    return Body;
  } catch (error) {
    if (!(error instanceof sdk.S3ServiceException)) throw error;
    if (missing.includes(error.$metadata.httpStatusCode)) return undefined;
    throw error;
  }
};

/** Returns the header by which browsers store a file of that name and never show it (RFC 6266). */
const attachment = (given: string): string => {
  const name = given.toWellFormed();
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
};
