import { bucketName } from "../runtime/env.ts";
import type { ObjectStore } from "./large-value.ts";

const deleteBatch = 1_000;

/** The bucket. Its SDK is loaded on first use: most requests never come here. */
export const objectStore = (): ObjectStore => ({
  put: async (Key, Body) => {
    const { S3Client, PutObjectCommand } = await import("@aws-sdk/client-s3");
    await new S3Client({}).send(new PutObjectCommand({ Bucket: bucketName(), Key, Body }));
  },
  get: async (Key) => {
    const { S3Client, GetObjectCommand } = await import("@aws-sdk/client-s3");
    const answer = await new S3Client({}).send(new GetObjectCommand({ Bucket: bucketName(), Key }));
    if (!answer.Body) throw new Error("the bucket answered without a body");
    return answer.Body.transformToByteArray();
  },
  remove: async (keys) => {
    if (keys.length === 0) return;
    const { S3Client, DeleteObjectsCommand } = await import("@aws-sdk/client-s3");
    const client = new S3Client({});
    for (let start = 0; start < keys.length; start += deleteBatch) {
      const Objects = keys.slice(start, start + deleteBatch).map((Key) => ({ Key }));
      await client.send(
        new DeleteObjectsCommand({ Bucket: bucketName(), Delete: { Objects, Quiet: true } }),
      );
    }
  },
});
