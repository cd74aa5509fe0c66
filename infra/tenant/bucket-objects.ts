import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  NoSuchKey,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import type { Installation } from "./installation.ts";

type Bucket = Pick<Installation, "s3" | "bucket">;

/** An object of the bucket with its content. */
export type StoredObject = {
  content: Uint8Array;
  contentType: string | undefined;
  contentEncoding: string | undefined;
};

/** Lists the keys with a prefix in pages of 1,000, from behind a key. */
export async function* listObjects(
  { s3, bucket }: Bucket,
  prefix: string,
  after?: string,
): AsyncGenerator<{ key: string; bytes: number }[]> {
  let token: string | undefined;
  do {
    const page = await s3.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        StartAfter: after,
        ContinuationToken: token,
      }),
    );
    const found = (page.Contents ?? []).flatMap(({ Key, Size = 0 }) =>
      Key === undefined ? [] : [{ key: Key, bytes: Size }],
    );
    if (found.length > 0) yield found;
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

/** Reads an object; undefined when it was deleted. */
export const readObject = async (
  { s3, bucket }: Bucket,
  key: string,
): Promise<StoredObject | undefined> => {
  try {
    const { Body, ContentType, ContentEncoding } = await s3.send(
      new GetObjectCommand({ Bucket: bucket, Key: key }),
    );
    if (!Body) throw new Error(`the bucket responded without the body of ${key}`);
    return {
      content: await Body.transformToByteArray(),
      contentType: ContentType,
      contentEncoding: ContentEncoding,
    };
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
};

/** Writes an object in place of one with the same key. */
export const writeObject = async (
  { s3, bucket }: Bucket,
  key: string,
  { content, contentType, contentEncoding }: StoredObject,
): Promise<void> => {
  await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: content,
      ContentType: contentType,
      ContentEncoding: contentEncoding,
    }),
  );
};

type Version = { Key: string; VersionId?: string | undefined };

/** Deletes the objects with a prefix, with all their versions. Returns the number of deleted versions. */
export const deleteObjects = async (target: Bucket, prefix: string): Promise<number> => {
  const versions = await deleteVersions(target, prefix);
  let deleted = 0;
  for await (const page of listObjects(target, prefix)) {
    await remove(
      target,
      page.map(({ key }) => ({ Key: key })),
    );
    deleted += page.length;
  }
  return versions + deleted;
};

const deleteVersions = async (target: Bucket, Prefix: string): Promise<number> => {
  let deleted = 0;
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await target.s3.send(
      new ListObjectVersionsCommand({ Bucket: target.bucket, Prefix }),
    );
    const found = [...Versions, ...DeleteMarkers].flatMap(({ Key, VersionId }) =>
      Key === undefined || VersionId === undefined ? [] : [{ Key, VersionId }],
    );
    if (found.length === 0) return deleted;
    await remove(target, found);
    deleted += found.length;
  }
};

const remove = async ({ s3, bucket }: Bucket, Objects: readonly Version[]): Promise<void> => {
  const { Errors = [] } = await s3.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: [...Objects], Quiet: true } }),
  );
  const [first] = Errors;
  if (first) throw new Error(`the bucket kept ${Errors.length} objects: ${first.Message}`);
};

/** Counts the objects with a prefix, and their versions where the bucket keeps some. */
export const countObjects = async (target: Bucket, prefix: string): Promise<number> => {
  let objects = 0;
  for await (const page of listObjects(target, prefix)) objects += page.length;
  const { Versions = [], DeleteMarkers = [] } = await target.s3.send(
    new ListObjectVersionsCommand({ Bucket: target.bucket, Prefix: prefix }),
  );
  return Math.max(objects, objects === 0 ? Versions.length + DeleteMarkers.length : 0);
};
