import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import {
  CreateIndexCommand,
  DeleteIndexCommand,
  DeleteVectorsCommand,
  GetVectorsCommand,
  ListVectorsCommand,
  PutVectorsCommand,
  QueryVectorsCommand,
  S3VectorsClient,
} from "@aws-sdk/client-s3vectors";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCallCounts } from "../../infra/local/access/call-counts.ts";
import { readAccessKeyId } from "../../infra/local/access/caller.ts";
import { createGuard } from "../../infra/local/access/guard.ts";
import { createAuthorizer } from "../../infra/local/template/authorizer.ts";
import { createVectorsEndpoint } from "../../infra/local/vectors/endpoint.ts";
import { removeFolders, temporaryFolder } from "./fixture-stack.ts";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});
afterAll(removeFolders);

const bucket = "arn:aws:s3vectors:us-east-1:000000000000:bucket/knowledge";
const allow = (...actions: string[]) => [
  { allow: true, actions, resources: [`${bucket}/index/*`], conditions: [] },
];
const statements = new Map([
  ["able", allow("s3vectors:*")],
  ["querying", allow("s3vectors:QueryVectors")],
]);

/** Starts the service on a directory; a second one on the same directory is a restart. */
const startService = async (directory: string) => {
  const guard = createGuard(createAuthorizer(statements), createCallCounts(), () => {});
  const vectors = createVectorsEndpoint(directory, ["knowledge"], guard);
  const server = createServer(async (request, response) => {
    const operation = (request.url ?? "").slice(1);
    const body = await buffer(request);
    vectors.handle(readAccessKeyId(request.headers.authorization), { operation, body }, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const clientFor = (accessKeyId: string) =>
    new S3VectorsClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      credentials: { accessKeyId, secretAccessKey: "local" },
      maxAttempts: 1,
    });
  const close = () => {
    server.close();
    server.closeAllConnections();
    vectors.close();
  };
  closers.push(close);
  return { clientFor, close };
};

let client: S3VectorsClient;
let clientFor: (caller: string) => S3VectorsClient;
beforeAll(async () => {
  ({ clientFor } = await startService(await temporaryFolder()));
  client = clientFor("able");
});

let indexes = 0;
const createIndex = async (dimension: number, unfilterable?: string[], on = client) => {
  indexes += 1;
  const indexName = `index-${indexes}`;
  await on.send(
    new CreateIndexCommand({
      vectorBucketArn: bucket,
      indexName,
      dimension,
      dataType: "float32",
      distanceMetric: "cosine",
      ...(unfilterable && {
        metadataConfiguration: { nonFilterableMetadataKeys: unfilterable },
      }),
    }),
  );
  return `${bucket}/index/${indexName}`;
};

const vector = (key: string, float32: number[], metadata = {}) => ({
  key,
  data: { float32 },
  metadata,
});

const queried = async (indexArn: string, float32: number[], filter?: Record<string, never>) => {
  const response = await client.send(
    new QueryVectorsCommand({
      indexArn,
      queryVector: { float32 },
      topK: 10,
      ...(filter && { filter }),
    }),
  );
  return response.vectors?.map(({ key }) => key);
};

describe("vectors", () => {
  test("a query returns the most similar vectors first, with distance and metadata on request", async () => {
    const indexArn = await createIndex(2);
    const vectors = [vector("up", [0, 1], { name: "Up" }), vector("right", [2, 0])];
    await client.send(new PutVectorsCommand({ indexArn, vectors }));
    const response = await client.send(
      new QueryVectorsCommand({
        indexArn,
        queryVector: { float32: [0.1, 1] },
        topK: 2,
        returnDistance: true,
        returnMetadata: true,
      }),
    );
    expect(response.vectors?.map(({ key }) => key)).toEqual(["up", "right"]);
    expect(response.vectors?.[0]).toMatchObject({ metadata: { name: "Up" } });
    expect(response.vectors?.[0]?.distance).toBeCloseTo(1 - 1 / Math.hypot(0.1, 1), 5);
  });

  test("a vector with the same key is replaced, its metadata included", async () => {
    const indexArn = await createIndex(1);
    for (const of of ["first", "second"]) {
      await client.send(new PutVectorsCommand({ indexArn, vectors: [vector("a", [1], { of })] }));
    }
    expect(await queried(indexArn, [1], JSON.parse('{"of":"first"}'))).toEqual([]);
    expect(await queried(indexArn, [1], JSON.parse('{"of":"second"}'))).toEqual(["a"]);
  });

  test("vectors are read, listed page by page and removed by key", async () => {
    const indexArn = await createIndex(1);
    const vectors = ["a", "b", "c"].map((key) => vector(key, [1], { key }));
    await client.send(new PutVectorsCommand({ indexArn, vectors }));
    const read = await client.send(
      new GetVectorsCommand({ indexArn, keys: ["b", "x"], returnData: true }),
    );
    expect(read.vectors).toEqual([{ key: "b", data: { float32: [1] } }]);
    const first = await client.send(new ListVectorsCommand({ indexArn, maxResults: 2 }));
    const { nextToken } = first;
    const rest = await client.send(new ListVectorsCommand({ indexArn, maxResults: 2, nextToken }));
    expect([...(first.vectors ?? []), ...(rest.vectors ?? [])].map(({ key }) => key)).toEqual([
      "a",
      "b",
      "c",
    ]);
    await client.send(new DeleteVectorsCommand({ indexArn, keys: ["a", "x"] }));
    expect(await queried(indexArn, [1])).toEqual(["b", "c"]);
  });

  test("a filter accepts the vectors that its conditions describe", {
    tags: "nightly",
  }, async () => {
    const indexArn = await createIndex(1);
    const value = fc.oneof(fc.constantFrom("a", "b"), fc.integer({ min: 0, max: 2 }), fc.boolean());
    const metadata = fc.record(
      { x: fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 })), y: value },
      { requiredKeys: [] },
    );
    const leaf = fc.tuple(
      fc.constantFrom("x", "y"),
      fc.oneof(
        value,
        value.map(($eq) => ({ $eq })),
        value.map(($ne) => ({ $ne })),
        fc.array(value, { minLength: 1, maxLength: 2 }).map(($in) => ({ $in })),
        fc.array(value, { minLength: 1, maxLength: 2 }).map(($nin) => ({ $nin })),
        fc.boolean().map(($exists) => ({ $exists })),
        fc.integer({ min: 0, max: 2 }).map(($gt) => ({ $gt })),
        fc.integer({ min: 0, max: 2 }).map(($lte) => ({ $lte })),
      ),
    );
    const filter = fc.oneof(
      leaf.map(([name, operand]) => ({ [name]: operand })),
      fc
        .tuple(fc.constantFrom("$and", "$or"), fc.array(leaf, { minLength: 1, maxLength: 3 }))
        .map(([name, leaves]) => ({
          [name]: leaves.map(([key, operand]) => ({ [key]: operand })),
        })),
    );
    await fc.assert(
      fc.asyncProperty(metadata, filter, async (meta, condition) => {
        const vectors = [vector("a", [1], meta)];
        await client.send(new PutVectorsCommand({ indexArn, vectors }));
        const found = await queried(indexArn, [1], JSON.parse(JSON.stringify(condition)));
        expect(found).toEqual(accepts(meta, condition) ? ["a"] : []);
      }),
      { numRuns: 60 },
    );
  });

  test("filters that an index does not have, vectors of another size and missing indexes are refused", async () => {
    const indexArn = await createIndex(2, ["text"]);
    const put = (...vectors: ReturnType<typeof vector>[]) =>
      client.send(new PutVectorsCommand({ indexArn, vectors }));
    await put(vector("a", [1, 0], { text: "t".repeat(4_000) }));
    await expect(queried(indexArn, [1, 0], JSON.parse('{"text":"t"}'))).rejects.toThrow("text");
    await expect(put(vector("b", [1]))).rejects.toThrow("dimension of 2");
    await expect(put(vector("b", [0, 0]))).rejects.toThrow("zero");
    await expect(put(vector("b", [1, 0], { x: "x".repeat(2_048) }))).rejects.toThrow("2048");
    await expect(queried(`${bucket}/index/missing`, [1, 0])).rejects.toThrow("not be found");
    expect(await queried(indexArn, [1, 0])).toEqual(["a"]);
  });

  test("a query with a filter needs the permission to get vectors", async () => {
    const indexArn = await createIndex(1);
    const query = { indexArn, queryVector: { float32: [1] }, topK: 1 };
    const limited = clientFor("querying");
    await limited.send(new QueryVectorsCommand(query));
    await expect(
      limited.send(new QueryVectorsCommand({ ...query, filter: { x: 1 } })),
    ).rejects.toThrow("s3vectors:GetVectors");
    await expect(
      limited.send(new PutVectorsCommand({ indexArn, vectors: [vector("a", [1])] })),
    ).rejects.toThrow("s3vectors:PutVectors");
  });

  test("indexes outlive a restart until they are deleted", async () => {
    const directory = await temporaryFolder();
    const first = await startService(directory);
    const indexArn = await createIndex(1, undefined, first.clientFor("able"));
    await first
      .clientFor("able")
      .send(new PutVectorsCommand({ indexArn, vectors: [vector("a", [1])] }));
    first.close();
    const second = (await startService(directory)).clientFor("able");
    const { vectors } = await second.send(new ListVectorsCommand({ indexArn }));
    expect(vectors).toEqual([{ key: "a" }]);
    await second.send(new DeleteIndexCommand({ indexArn }));
    await expect(second.send(new ListVectorsCommand({ indexArn }))).rejects.toThrow("not be found");
  });
});

type Primitive = string | number | boolean;

/** Evaluates a filter as AWS's documentation describes the operators. */
const accepts = (metadata: Record<string, unknown>, filter: object): boolean =>
  Object.entries(filter).every(([name, operand]) => {
    if (name === "$and") return operand.every((part: object) => accepts(metadata, part));
    if (name === "$or") return operand.some((part: object) => accepts(metadata, part));
    const values = name in metadata ? [metadata[name]].flat() : [];
    if (typeof operand !== "object") return values.includes(operand);
    return Object.entries(operand).every(([operator, wanted]) => holds(values, operator, wanted));
  });

const holds = (values: unknown[], operator: string, wanted: unknown): boolean => {
  const any = (test: (value: number) => boolean) =>
    values.some((value) => typeof value === "number" && test(value));
  const list: Primitive[] = JSON.parse(JSON.stringify([wanted].flat()));
  switch (operator) {
    case "$eq":
    case "$in":
      return list.some((item) => values.includes(item));
    case "$ne":
    case "$nin":
      return !list.some((item) => values.includes(item));
    case "$gt":
      return any((value) => value > Number(wanted));
    case "$lte":
      return any((value) => value <= Number(wanted));
    default:
      return values.length > 0 === wanted;
  }
};
