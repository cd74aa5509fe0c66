import * as z from "zod";
import type { VectorBuckets } from "./vector-buckets.ts";
import { checkValues, type FoundVector, Metadata, type StoredVector } from "./vector-index.ts";
import { VectorsFault } from "./vectors-fault.ts";

const bucket = z.string().min(1);
const index = z.string().regex(/^[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]$/, "must be an index name");
const IndexKey = z.object({ vectorBucketName: bucket, indexName: index });
const key = z.string().min(1).max(1_024);
const Data = z.object({ float32: z.array(z.number()).min(1).max(4_096) });

const CreateIndex = IndexKey.extend({
  dataType: z.literal("float32"),
  dimension: z.int().min(1).max(4_096),
  distanceMetric: z.enum(["cosine", "euclidean"]),
  metadataConfiguration: z
    .object({ nonFilterableMetadataKeys: z.array(z.string()).min(1).max(10) })
    .optional(),
});
const PutVectors = IndexKey.extend({
  vectors: z
    .array(z.object({ key, data: Data, metadata: Metadata.default({}) }))
    .min(1)
    .max(500),
});
const GetVectors = IndexKey.extend({
  keys: z.array(key).min(1).max(100),
  returnData: z.boolean().default(false),
  returnMetadata: z.boolean().default(false),
});
const ListVectors = IndexKey.extend({
  maxResults: z.int().min(1).max(1_000).default(500),
  nextToken: z.string().default(""),
  returnData: z.boolean().default(false),
  returnMetadata: z.boolean().default(false),
});
const DeleteVectors = IndexKey.extend({ keys: z.array(key).min(1).max(500) });
const QueryVectors = IndexKey.extend({
  topK: z.int().min(1).max(100),
  queryVector: Data,
  filter: z.unknown().optional(),
  returnMetadata: z.boolean().default(false),
  returnDistance: z.boolean().default(false),
});

/** Bytes of a vector's metadata; a filter sees at most the second. */
const maxMetadataBytes = 40 * 1_024;
const maxFilterableBytes = 2 * 1_024;
const maxMetadataKeys = 50;

type Shown = { data: boolean; metadata: boolean };

const shown = ({ key, values, metadata }: StoredVector, show: Shown) => ({
  key,
  ...(show.data && { data: { float32: values } }),
  ...(show.metadata && { metadata }),
});

const found = ({ key, distance, metadata }: FoundVector, show: Shown & { distance: boolean }) => ({
  key,
  ...(show.distance && { distance }),
  ...(show.metadata && { metadata }),
});

const checkMetadata = (metadata: Metadata, unfilterable: readonly string[]): void => {
  const filterable = Object.entries(metadata).filter(([name]) => !unfilterable.includes(name));
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  const filterableBytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(filterable)));
  if (Object.keys(metadata).length > maxMetadataKeys) invalid("Metadata must have at most 50 keys");
  if (filterableBytes > maxFilterableBytes) {
    invalid("Filterable metadata must have at most 2048 bytes");
  }
  if (bytes > maxMetadataBytes) invalid("Metadata must have at most 40960 bytes");
};

const invalid = (message: string): never => {
  throw new VectorsFault("ValidationException", message);
};

/** An operation: what it needs permission for, and what it does. */
export type VectorOperation = {
  actions: string[];
  vectorBucketName: string;
  indexName: string;
  run: (buckets: VectorBuckets) => unknown;
};

type NamedIndex = { vectorBucketName: string; indexName?: string };

/** Defines an operation by its body and what it does; `needsGet` where AWS wants permission for GetVectors too. */
const operation =
  <Body extends z.ZodType<NamedIndex>>(
    schema: Body,
    define: (body: z.output<Body>) => Pick<VectorOperation, "run"> & { needsGet?: boolean },
  ) =>
  (name: string, body: unknown): VectorOperation => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) {
      const problems = parsed.error.issues.map(
        ({ path, message }) => `${path.join("/") || "body"}: ${message}`,
      );
      return invalid(problems.join("; "));
    }
    const { needsGet = false, run } = define(parsed.data);
    return {
      actions: [`s3vectors:${name}`, ...(needsGet ? ["s3vectors:GetVectors"] : [])],
      vectorBucketName: parsed.data.vectorBucketName,
      indexName: parsed.data.indexName ?? "",
      run,
    };
  };

const operations = {
  CreateIndex: operation(CreateIndex, (body) => ({
    run: (buckets) => {
      buckets.createIndex(body.vectorBucketName, body.indexName, {
        dimension: body.dimension,
        distanceMetric: body.distanceMetric,
        nonFilterableMetadataKeys: body.metadataConfiguration?.nonFilterableMetadataKeys ?? [],
      });
      return {};
    },
  })),
  DeleteIndex: operation(IndexKey, (body) => ({
    run: (buckets) => {
      buckets.deleteIndex(body.vectorBucketName, body.indexName);
      return {};
    },
  })),
  PutVectors: operation(PutVectors, (body) => ({
    run: (buckets) => {
      const target = buckets.index(body.vectorBucketName, body.indexName);
      const { definition } = target;
      const vectors = body.vectors.map(({ key: name, data, metadata }) => {
        checkMetadata(metadata, definition.nonFilterableMetadataKeys);
        return { key: name, metadata, values: checkValues(data.float32, definition) };
      });
      target.put(vectors);
      return {};
    },
  })),
  GetVectors: operation(GetVectors, (body) => ({
    run: (buckets) => {
      const vectors = buckets
        .index(body.vectorBucketName, body.indexName)
        .get(body.keys, { values: body.returnData });
      const show = { data: body.returnData, metadata: body.returnMetadata };
      return { vectors: vectors.map((vector) => shown(vector, show)) };
    },
  })),
  ListVectors: operation(ListVectors, (body) => ({
    needsGet: body.returnData || body.returnMetadata,
    run: (buckets) => {
      const vectors = buckets
        .index(body.vectorBucketName, body.indexName)
        .list(body.nextToken, body.maxResults, { values: body.returnData });
      const show = { data: body.returnData, metadata: body.returnMetadata };
      return {
        vectors: vectors.map((vector) => shown(vector, show)),
        ...(vectors.length === body.maxResults && { nextToken: vectors.at(-1)?.key }),
      };
    },
  })),
  DeleteVectors: operation(DeleteVectors, (body) => ({
    run: (buckets) => {
      buckets.index(body.vectorBucketName, body.indexName).remove(body.keys);
      return {};
    },
  })),
  QueryVectors: operation(QueryVectors, (body) => ({
    needsGet: body.returnMetadata || body.filter !== undefined,
    run: (buckets) => {
      const target = buckets.index(body.vectorBucketName, body.indexName);
      const values = checkValues(body.queryVector.float32, target.definition);
      const show = { data: false, metadata: body.returnMetadata, distance: body.returnDistance };
      return {
        distanceMetric: target.definition.distanceMetric,
        vectors: target.query(values, body.topK, body.filter).map((match) => found(match, show)),
      };
    },
  })),
} as const;

const isOperation = (name: string): name is keyof typeof operations =>
  Object.hasOwn(operations, name);

/** Parses a request of S3 Vectors, such as `QueryVectors`. Throws a VectorsFault. */
export const readOperation = (name: string, body: Buffer): VectorOperation => {
  if (!isOperation(name)) return invalid(`${name} is not supported`);
  return operations[name](name, withNames(parseJson(body)));
};

const Arns = z.looseObject({
  vectorBucketArn: z.string().optional(),
  indexArn: z.string().optional(),
});

/** Converts ARNs in a body to names. */
const withNames = (body: unknown): unknown => {
  const { success, data } = Arns.safeParse(body);
  if (!success) return body;
  const { vectorBucketArn, indexArn, ...rest } = data;
  const [, vectorBucketName, , indexName] = (indexArn ?? vectorBucketArn ?? "").split("/");
  return {
    ...(vectorBucketName !== undefined && { vectorBucketName }),
    ...(indexName !== undefined && { indexName }),
    ...rest,
  };
};

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
};
