import type * as Sdk from "@aws-sdk/client-s3";
import { awsRetries } from "../runtime/aws-retry.ts";
import { bucketName } from "../runtime/env.ts";
import { once } from "../runtime/once.ts";

/** Content type of every uploaded file: the bucket never serves what a browser would run. */
export const uploadType = "application/octet-stream";

/** Files that callers upload to the bucket themselves. */
export type FileUploads = {
  /**
   * Returns a URL to which a file of exactly this size and of `uploadType` can be sent with PUT, with this function's
   * permission.
   */
  sign: (key: string, file: { size: number; validSeconds: number }) => Promise<string>;
  /** Returns the size of a file in bytes; undefined when it was not uploaded. */
  getSize: (key: string) => Promise<number | undefined>;
  /** Copies a file within the bucket; false when there is none. */
  copy: (from: string, to: string) => Promise<boolean>;
};

const s3 = once(async () => {
  const sdk = await import("@aws-sdk/client-s3");
  // A signed checksum would be that of an empty file.
  const checksums = { requestChecksumCalculation: "WHEN_REQUIRED" } as const;
  return { sdk, client: new sdk.S3Client({ retryStrategy: awsRetries(), ...checksums }) };
});

/** S3 responds 403 for an object that does not exist to callers that may not list the bucket. */
const missing: readonly unknown[] = [403, 404];

/** Creates the uploads of files to the bucket. */
export const fileUploads = (): FileUploads => ({
  sign: async (Key, { size, validSeconds }) => {
    const { sdk, client } = await s3();
    const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
    const file = { ContentLength: size, ContentType: uploadType };
    const command = new sdk.PutObjectCommand({ Bucket: bucketName(), Key, ...file });
    // The presigner leaves out the type unless it is named.
    const signableHeaders = new Set(["content-type"]);
    return getSignedUrl(client, command, { expiresIn: validSeconds, signableHeaders });
  },
  getSize: async (Key) => {
    const { sdk, client } = await s3();
    const head = client.send(new sdk.HeadObjectCommand({ Bucket: bucketName(), Key }));
    return (await unlessMissing(sdk, head))?.ContentLength;
  },
  copy: async (from, Key) => {
    const { sdk, client } = await s3();
    const Bucket = bucketName();
    const CopySource = encodeURI(`${Bucket}/${from}`);
    const copy = client.send(new sdk.CopyObjectCommand({ Bucket, Key, CopySource }));
    return (await unlessMissing(sdk, copy)) !== undefined;
  },
});

const unlessMissing = async <Output>(
  sdk: typeof Sdk,
  call: Promise<Output>,
): Promise<Output | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof sdk.S3ServiceException)) throw error;
    if (missing.includes(error.$metadata.httpStatusCode)) return undefined;
    throw error;
  }
};
