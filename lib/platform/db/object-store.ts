import { awsRetries } from "../runtime/aws-retry.ts";
import { bucketName } from "../runtime/env.ts";
import { once } from "../runtime/once.ts";
import type { ObjectStore, PurgedObjects } from "./large-value.ts";

const deleteBatch = 1_000;

/** Loads the SDK on first use, since most requests do not need it. */
const s3 = once(async () => {
  const sdk = await import("@aws-sdk/client-s3");
  return { sdk, client: new sdk.S3Client({ retryStrategy: awsRetries() }) };
});

/** Creates the store of values in the bucket. */
export const objectStore = (): ObjectStore => ({
  put: async (Key, Body) => {
    const { sdk, client } = await s3();
    const form = { ContentType: "application/json", ContentEncoding: "gzip" };
    await client.send(new sdk.PutObjectCommand({ Bucket: bucketName(), Key, Body, ...form }));
  },
  get: async (Key) => {
    const { sdk, client } = await s3();
    const response = await client.send(new sdk.GetObjectCommand({ Bucket: bucketName(), Key }));
    if (!response.Body) throw new Error("the bucket responded without a body");
    return response.Body.transformToByteArray();
  },
  remove: async (keys) => {
    if (keys.length === 0) return;
    const { sdk, client } = await s3();
    for (let start = 0; start < keys.length; start += deleteBatch) {
      const Objects = keys.slice(start, start + deleteBatch).map((Key) => ({ Key }));
      const { Errors = [] } = await client.send(
        new sdk.DeleteObjectsCommand({ Bucket: bucketName(), Delete: { Objects, Quiet: true } }),
      );
      if (Errors.length > 0) throw new Error(`the bucket kept ${Errors.length} objects`);
    }
  },
});

/** Creates the store of values as a purge uses it. Keys are listed in pages of 1,000. */
export const purgedObjects = (): PurgedObjects => {
  const { remove } = objectStore();
  const removeUnder = async (Prefix: string): Promise<void> => {
    const { sdk, client } = await s3();
    let after: string | undefined;
    do {
      const page = await client.send(
        new sdk.ListObjectsV2Command({ Bucket: bucketName(), Prefix, ContinuationToken: after }),
      );
      await remove((page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
      after = page.NextContinuationToken;
    } while (after !== undefined);
  };
  return { remove, removeUnder };
};
