import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { embeddingProvider, indexingDeps, usageToday } from "../../../test/harness/knowledge.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { echoModel } from "../../engine/models/echo.ts";
import { createModelRegistry } from "../../engine/models/registry.ts";
import { countEmbeddings } from "../../spending/usage/count-other-usage.ts";
import { isManaged, type ManagedAsset } from "../asset/asset-item.ts";
import { createAsset } from "../asset/create-asset.ts";
import { CreateAssetBody } from "../asset/schemas.ts";
import { indexDocument } from "../document/index-document.ts";
import { searchAssets } from "./search-assets.ts";
import type { SearchFilter } from "./search-filter.ts";
import { searchTenant } from "./search-tenant.ts";
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

  const buildDeps = (tenant: Tenant) => ({ ...tenant.deps, models: createModelRegistry() });

  /** Makes an asset with one document for each text. */
  const withAsset = async (tenant: Tenant, id: string, texts: Record<string, Text>) => {
    const asset = await createAsset(
      { ...tenant.deps, outgoing: {}, sources: [] },
      { ctx: tenant.ctx, body: CreateAssetBody.parse({ id, displayName: id, type: "upload" }) },
    );
    if (!isManaged(asset)) throw new Error("the asset has no source");
    for (const [documentId, text] of Object.entries(texts))
      await index(tenant, asset, documentId, text);
    return asset;
  };
  const index = (
    tenant: Tenant,
    asset: ManagedAsset,
    documentId: string,
    { text, metadata = {} }: Text,
  ) =>
    indexDocument(indexingDeps(tenant, echoModel), {
      asset,
      place: { tenantId: tenant.ctx.tenant.id, indexId: asset.indexId },
      signal,
      document: {
        documentId,
        name: `${documentId}.md`,
        link: `https://example.com/${documentId}`,
        metadata,
        version: null,
        text,
      },
    });
  const search = (tenant: Tenant, query: string, assetIds: string[], filter: SearchFilter = {}) =>
    searchAssets(buildDeps(tenant), {
      tenantId: tenant.ctx.tenant.id,
      search: {
        assetIds,
        query,
        topK: 10,
        filter,
        signal,
      },
    });
  const found = async (...of: Parameters<typeof search>) =>
    (await search(...of)).passages.map(({ documentId }) => documentId);

  const handbook = {
    deploy: { text: "Deploy an agent with wharf agents apply.", metadata: { team: "platform" } },
    holiday: { text: "Ask for a holiday two weeks before.", metadata: { team: "people" } },
  };

  test("of the API counts the embedding of its query in the usage, also when the vectors fail", {
    tags: "nightly",
  }, async () => {
    const tenant = testTenant(db);
    const model = embeddingProvider();
    await withAsset(tenant, "handbook", handbook);
    const [before] = await usageToday(tenant);
    const deps = {
      ...tenant.deps,
      countEmbeddings,
      models: createModelRegistry(new Map([["echo", model.provider]])),
    };
    const ask = (vectors = tenant.deps.vectors) =>
      searchTenant(
        { ...deps, vectors },
        {
          ctx: { ...tenant.ctx, respondBy: tenant.ctx.clock() + 20_000 },
          body: { query: "deploy an agent" },
        },
      );
    expect(await ask()).toHaveLength(2);
    const [after] = await usageToday(tenant);
    const tokens = (after?.inputTokens ?? 0) - (before?.inputTokens ?? 0);
    expect(tokens).toBeGreaterThan(0);
    const failing = { ...tenant.deps.vectors, query: () => Promise.reject(new Error("planned")) };
    await expect(ask(failing)).rejects.toThrow("planned");
    const [last] = await usageToday(tenant);
    expect(last?.inputTokens).toBe((after?.inputTokens ?? 0) + tokens);
  });

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
      value.map((item) => ({ $in: [item] })),
      fc.boolean().map(($exists) => ({ $exists })),
    );
    const names = fc.constantFrom("index", "name", "asset", "document", "$or", "$and", "team", "");
    const filter = fc.record(
      {
        documentName: condition,
        metadata: fc.dictionary(names, condition),
        $or: fc.constant([{ index: "index-private" }]),
        index: value,
      },
      { requiredKeys: [] },
    );
    const knowledge = tenantKnowledge(buildDeps(one), one.ctx.tenant.id);
    await fc.assert(
      fc.asyncProperty(filter, async (given) => {
        const query = { query: "deploy agent", topK: 50, signal };
        const asked = {
          ...query,
          assetIds: ["public"],
          filter: JSON.parse(JSON.stringify(given)),
        };
        const result = await Promise.resolve()
          .then(() => knowledge.search(asked))
          .catch((error: unknown) => ({ refused: String(error), passages: [] }));
        for (const { assetId } of result.passages) expect(assetId).toBe("public");
      }),
      { numRuns: 60 },
    );
    for (const id of ["theirs", "publik"]) {
      const asked = { query: "x", topK: 1, signal, filter: {}, assetIds: ["public", id] };
      await expect(knowledge.search(asked)).rejects.toThrow(`there is no asset "${id}"`);
    }
    const all = await search(one, "deploy agent", ["public", "private", "theirs"]);
    expect(all.passages.map(({ assetId }) => assetId).sort()).toEqual(["private", "public"]);
  });

  test("finds only the latest text of a document", async () => {
    const tenant = testTenant(db);
    const asset = await withAsset(tenant, "handbook", handbook);
    await index(tenant, asset, "deploy", { text: "Deploy an agent in the console." });
    const { passages } = await search(tenant, "deploy an agent", ["handbook"]);
    expect(passages.map(({ text }) => text)).toEqual([
      "Deploy an agent in the console.",
      handbook.holiday.text,
    ]);
  });
});
