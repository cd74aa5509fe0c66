import type * as Sdk from "@aws-sdk/client-s3vectors";
import * as z from "zod";
import { awsRetries } from "../../platform/runtime/aws-retry.ts";
import { vectorBucketArn } from "../../platform/runtime/env.ts";
import { once } from "../../platform/runtime/once.ts";
import { vectorsPerWrite } from "./vectors-per-write.ts";

/** Most keys of a call that removes vectors. */
const maxKeysPerRemoval = 500;
/** Most results of a query. https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-limitations.html */
export const maxFound = 100;

/** Metadata of a vector: at most 2 KB, all of it filterable. */
export type VectorMetadata = Readonly<
  Record<string, string | number | boolean | readonly string[]>
>;

/** A vector to store; a vector with the same key is replaced. */
export type Vector = {
  readonly key: string;
  readonly values: readonly number[];
  readonly metadata: VectorMetadata;
};

/** A vector that a query found, the most similar first; `distance` is the cosine distance, 0 to 2. */
export type FoundVector = { key: string; distance: number };

/** A filter of S3 Vectors. https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-metadata-filtering.html */
export type VectorFilter = { readonly [name: string]: unknown };

/** Storage of vectors in indexes, which are created on first use. */
export type VectorStore = {
  /** Creates an index for vectors of a dimension, unless it exists. */
  createIndex: (index: string, dimension: number) => Promise<void>;
  /** Stores vectors in batches. */
  put: (index: string, vectors: readonly Vector[]) => Promise<void>;
  /** Removes vectors in batches; ignores keys and indexes that do not exist. */
  remove: (index: string, keys: readonly string[]) => Promise<void>;
  /** Finds at most `topK` vectors, at most 100; none when the index does not exist. */
  query: (
    index: string,
    query: { values: readonly number[]; topK: number; filter: VectorFilter },
  ) => Promise<FoundVector[]>;
};

/** Loads the SDK on first use, since most executions do not need it. */
const vectors = once(async () => {
  const sdk = await import("@aws-sdk/client-s3vectors");
  return { sdk, client: new sdk.S3VectorsClient({ retryStrategy: awsRetries() }) };
});

const Found = z.array(z.object({ key: z.string(), distance: z.number() }));

const buildIndexArn = (index: string): string => `${vectorBucketArn()}/index/${index}`;

/** Creates the store of vectors in the vector bucket. */
export const vectorStore = (): VectorStore => ({
  createIndex: async (indexName, dimension) => {
    const { sdk, client } = await vectors();
    const definition = {
      vectorBucketArn: vectorBucketArn(),
      indexName,
      dimension,
      dataType: sdk.DataType.FLOAT32,
      distanceMetric: sdk.DistanceMetric.COSINE,
    };
    try {
      await client.send(new sdk.CreateIndexCommand(definition));
    } catch (error) {
      if (!(error instanceof sdk.ConflictException)) throw error;
    }
  },
  put: async (index, all) => {
    const { sdk, client } = await vectors();
    const size = vectorsPerWrite(all[0]?.values.length ?? 0);
    for (let start = 0; start < all.length; start += size) {
      const part = all.slice(start, start + size).map(toInput);
      await client.send(
        new sdk.PutVectorsCommand({ indexArn: buildIndexArn(index), vectors: part }),
      );
    }
  },
  remove: async (index, keys) => {
    const { sdk, client } = await vectors();
    for (let start = 0; start < keys.length; start += maxKeysPerRemoval) {
      const part = keys.slice(start, start + maxKeysPerRemoval);
      try {
        await client.send(
          new sdk.DeleteVectorsCommand({ indexArn: buildIndexArn(index), keys: part }),
        );
      } catch (error) {
        if (!(error instanceof sdk.NotFoundException)) throw error;
      }
    }
  },
  query: async (index, { values, topK, filter }) => {
    const { sdk, client } = await vectors();
    const command = new sdk.QueryVectorsCommand({
      indexArn: buildIndexArn(index),
      queryVector: { float32: [...values] },
      topK: Math.min(topK, maxFound),
      filter: toDocument(filter),
      returnDistance: true,
    });
    try {
      return Found.parse((await client.send(command)).vectors);
    } catch (error) {
      if (error instanceof sdk.NotFoundException) return [];
      throw error;
    }
  },
});

const toInput = ({ key, values, metadata }: Vector): Sdk.PutInputVector => ({
  key,
  data: { float32: [...values] },
  metadata: toDocument(metadata),
});

type Document = Sdk.PutInputVector["metadata"];

const toDocument = (value: VectorMetadata | VectorFilter): Document => z.json().parse(value);
