import {
  ConflictException,
  CreateIndexCommand,
  DataType,
  DeleteIndexCommand,
  DistanceMetric,
  GetVectorsCommand,
  ListVectorsCommand,
  NotFoundException,
  PutVectorsCommand,
} from "@aws-sdk/client-s3vectors";
import * as z from "zod";
import { vectorsPerWrite } from "../../lib/knowledge/index/vectors-per-write.ts";
import type { Installation } from "./installation.ts";

type Vectors = Pick<Installation, "vectors" | "vectorBucketArn">;

/** A vector of an index. */
export const StoredVector = z.object({
  key: z.string(),
  values: z.array(z.number()),
  metadata: z.json(),
});
export type StoredVector = z.output<typeof StoredVector>;

const pageSize = 200;
const countPageSize = 1_000;

const buildIndexArn = ({ vectorBucketArn }: Vectors, index: string): string =>
  `${vectorBucketArn}/index/${index}`;

const unlessMissing = async <Output>(call: Promise<Output>): Promise<Output | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
};

/** Reads the vectors of an index in pages; none when the index does not exist. */
export async function* listVectors(target: Vectors, index: string): AsyncGenerator<StoredVector[]> {
  let nextToken: string | undefined;
  do {
    const page = await unlessMissing(
      target.vectors.send(
        new ListVectorsCommand({
          indexArn: buildIndexArn(target, index),
          maxResults: pageSize,
          returnData: true,
          returnMetadata: true,
          nextToken,
        }),
      ),
    );
    const found = (page?.vectors ?? []).map(({ key, data, metadata }) =>
      StoredVector.parse({ key, values: data?.float32, metadata: metadata ?? {} }),
    );
    if (found.length > 0) yield found;
    nextToken = page?.nextToken;
  } while (nextToken !== undefined);
}

/** Counts the vectors of an index; undefined when the index does not exist. */
export const countVectors = async (target: Vectors, index: string): Promise<number | undefined> => {
  let count = 0;
  let nextToken: string | undefined;
  do {
    const command = new ListVectorsCommand({
      indexArn: buildIndexArn(target, index),
      maxResults: countPageSize,
      nextToken,
    });
    const page = await unlessMissing(target.vectors.send(command));
    if (!page) return undefined;
    count += page.vectors?.length ?? 0;
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return count;
};

/** Writes vectors into an index, which is created if it does not exist. Replaces vectors with the same keys. */
export const putVectors = async (
  target: Vectors,
  index: string,
  all: readonly StoredVector[],
): Promise<void> => {
  const dimension = all[0]?.values.length ?? 0;
  if (dimension === 0) return;
  try {
    await target.vectors.send(
      new CreateIndexCommand({
        vectorBucketArn: target.vectorBucketArn,
        indexName: index,
        dimension,
        dataType: DataType.FLOAT32,
        distanceMetric: DistanceMetric.COSINE,
      }),
    );
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
  }
  const size = vectorsPerWrite(dimension);
  for (let start = 0; start < all.length; start += size) {
    const part = all.slice(start, start + size).map(({ key, values, metadata }) => ({
      key,
      data: { float32: values },
      metadata,
    }));
    await target.vectors.send(
      new PutVectorsCommand({ indexArn: buildIndexArn(target, index), vectors: part }),
    );
  }
};

/** Deletes an index with its vectors, if it exists. */
export const deleteIndex = async (target: Vectors, index: string): Promise<void> => {
  const command = new DeleteIndexCommand({ indexArn: buildIndexArn(target, index) });
  await unlessMissing(target.vectors.send(command));
};

/** Most keys of a call that reads vectors. */
const keysPerRead = 100;

/** Returns the keys without a vector in an index. */
export const findMissingVectors = async (
  target: Vectors,
  index: string,
  keys: readonly string[],
): Promise<Set<string>> => {
  const missing = new Set(keys);
  for (let start = 0; start < keys.length; start += keysPerRead) {
    const part = keys.slice(start, start + keysPerRead);
    const command = new GetVectorsCommand({ indexArn: buildIndexArn(target, index), keys: part });
    const page = await unlessMissing(target.vectors.send(command));
    for (const { key } of page?.vectors ?? []) if (key !== undefined) missing.delete(key);
  }
  return missing;
};
