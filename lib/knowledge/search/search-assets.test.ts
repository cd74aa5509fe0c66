import { gzipSync } from "node:zlib";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { echo } from "../../engine/models/echo.ts";
import { createModelRegistry } from "../../engine/models/registry.ts";
import { AssetItem } from "../asset/asset-item.ts";
import { defaultEmbedding } from "../asset/check-embedding.ts";
import { putNewAsset } from "../asset/store.ts";
import { chunksObject, DocumentItem, vectorKey } from "../document/document-item.ts";
import { documentKey } from "../keys.ts";
import { indexName } from "../vectors/index-name.ts";
import { searchAssets } from "./search-assets.ts";
import type { SearchFilter } from "./search-filter.ts";
import { tenantKnowledge } from "./tenant-knowledge.ts";

const signal = new AbortController().signal;
type Tenant = ReturnType<typeof testTenant>;
/** Text, and metadata of its source. */
type Text = { text: string; metadata?: Record<string, string> };

describe("a search", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  const depsOf = (tenant: Tenant) => ({ ...tenant.deps, models: createModelRegistry() });

  /** Makes an asset with one document for each text. */
  const withAsset = async (tenant: Tenant, id: string, texts: Record<string, Text>) => {
    const tenantId = tenant.ctx.tenant.id;
    const place = { tenantId, indexId: `index-${id}` };
    const index = indexName(tenantId, defaultEmbedding);
    const item = { id, type: "upload", embedding: defaultEmbedding, status: "Ready", ...place };
    await putNewAsset(db, tenantId, AssetItem.parse({ ...item, createdAt: 1, modifiedAt: 1 }));
    await tenant.deps.vectors.createIndex(index, 256);
    for (const [documentId, { text, metadata = {} }] of Object.entries(texts)) {
      const embedded = await echo.embed?.({ model: "echo-1", texts: [text], signal });
      const own = Object.entries(metadata).map(([name, value]) => [`m.${name}`, value]);
      await tenant.deps.vectors.put(index, [
        {
          key: vectorKey(place.indexId, { documentId, hash: "hash", chunk: 0 }),
          values: embedded?.vectors[0] ?? [],
          metadata: { index: place.indexId, name: `${documentId}.md`, ...Object.fromEntries(own) },
        },
      ]);
      const chunks = gzipSync(JSON.stringify([{ text, heading: null }]));
      await tenant.deps.objects.put(chunksObject(place, { documentId, hash: "hash" }), chunks);
      const document = DocumentItem.parse({
        documentId,
        name: `${documentId}.md`,
        link: `https://example.com/${documentId}`,
        metadata,
        version: null,
        status: "Indexed",
        error: null,
        indexed: { hash: "hash", chunkCount: 1, tokens: 1 },
        seenIn: "",
        createdAt: 1,
        modifiedAt: 1,
      });
      const Item = { ...documentKey(tenantId, place.indexId, documentId), ...document };
      await db.client.send(new PutCommand({ TableName: db.table, Item }));
    }
  };
  const search = (tenant: Tenant, query: string, assetIds: string[], filter: SearchFilter = {}) =>
    searchAssets(depsOf(tenant), tenant.ctx.tenant.id, {
      assetIds,
      query,
      topK: 10,
      filter,
      signal,
    });
  const found = async (...of: Parameters<typeof search>) =>
    (await search(...of)).passages.map(({ documentId }) => documentId);

  const handbook = {
    deploy: { text: "Deploy an agent with wharf agents apply.", metadata: { team: "platform" } },
    holiday: { text: "Ask for a holiday two weeks before.", metadata: { team: "people" } },
  };

  test("returns passages with document and link, the best first, and the tokens of the query", async () => {
    const tenant = testTenant(db);
    await withAsset(tenant, "handbook", handbook);
    const { passages, embeddings } = await search(tenant, "how to deploy an agent", ["handbook"]);
    expect(passages[0]).toEqual({
      assetId: "handbook",
      documentId: "deploy",
      documentName: "deploy.md",
      chunk: 0,
      text: handbook.deploy.text,
      link: "https://example.com/deploy",
      score: 1,
    });
    expect(passages.map(({ documentId }) => documentId)).toEqual(["deploy", "holiday"]);
    expect(embeddings).toMatchObject([{ providerId: "echo", model: "echo-1", inputTokens: 6 }]);
  });

  test("is narrowed by the document's name and by the source's metadata", async () => {
    const tenant = testTenant(db);
    await withAsset(tenant, "handbook", handbook);
    const of = ["handbook"];
    expect(await found(tenant, "deploy", of, { documentName: "holiday.md" })).toEqual(["holiday"]);
    const people = { metadata: { team: { $in: ["people"] } } };
    expect(await found(tenant, "deploy", of, people)).toEqual(["holiday"]);
    expect(await found(tenant, "deploy", of, { metadata: { index: "index-handbook" } })).toEqual(
      [],
    );
  });

  test("finds nothing of assets that are not named, of another tenant, or that do not exist", async () => {
    const [one, other] = [testTenant(db), testTenant(db)];
    await withAsset(one, "public", { deploy: handbook.deploy });
    await withAsset(one, "private", { secret: { text: "Deploy the secret agent." } });
    await withAsset(other, "theirs", { theirs: { text: "Deploy their agent." } });
    const value = fc.oneof(fc.string(), fc.constantFrom("index-private", "index-theirs"));
    const condition = fc.oneof(
      value,
      value.map(($ne) => ({ $ne })),
      value.map((each) => ({ $in: [each] })),
      fc.boolean().map(($exists) => ({ $exists })),
    );
    const names = fc.constantFrom("index", "name", "$or", "$and", "m.index", "team", "");
    const filter = fc.record(
      {
        documentName: condition,
        metadata: fc.dictionary(names, condition),
        $or: fc.constant([{ index: "index-private" }]),
        index: value,
      },
      { requiredKeys: [] },
    );
    const knowledge = tenantKnowledge(depsOf(one), one.ctx.tenant.id);
    await fc.assert(
      fc.asyncProperty(filter, async (given) => {
        const query = { query: "deploy agent", topK: 50, signal };
        const asked = {
          ...query,
          assetIds: ["public", "theirs", "none"],
          filter: JSON.parse(JSON.stringify(given)),
        };
        const result = await Promise.resolve()
          .then(() => knowledge.search(asked))
          .catch((error: unknown) => ({ refused: String(error), passages: [] }));
        for (const { assetId } of result.passages) expect(assetId).toBe("public");
      }),
      { numRuns: 60 },
    );
    const all = await search(one, "deploy agent", ["public", "private", "theirs"]);
    expect(all.passages.map(({ assetId }) => assetId).sort()).toEqual(["private", "public"]);
  });

  test("leaves out a document whose text was replaced meanwhile", async () => {
    const tenant = testTenant(db);
    await withAsset(tenant, "handbook", handbook);
    const key = documentKey(tenant.ctx.tenant.id, "index-handbook", "deploy");
    const [item] = (await db.scan()).filter(({ pk, sk }) => pk === key.pk && sk === key.sk);
    const indexed = { hash: "another", chunkCount: 1, tokens: 1 };
    await db.client.send(new PutCommand({ TableName: db.table, Item: { ...item, indexed } }));
    expect(await found(tenant, "deploy", ["handbook"])).toEqual(["holiday"]);
  });
});
