import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { embeddingProvider, indexingDeps } from "../../../test/harness/knowledge.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { embedWords } from "../../engine/models/embed-words.ts";
import { createModelRegistry } from "../../engine/models/registry.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { waitWithTimer } from "../../platform/runtime/wait.ts";
import { defineSource } from "../../vendors/source.ts";
import { isManaged } from "../asset/asset-item.ts";
import { createAsset } from "../asset/create-asset.ts";
import { UpdateAssetBody } from "../asset/schemas.ts";
import { getAsset } from "../asset/store.ts";
import { updateAsset } from "../asset/update-asset.ts";
import { listContents, vectorKeys } from "../document/document-item.ts";
import { listAllDocuments } from "../document/store.ts";
import { indexName } from "../index/index-name.ts";
import { SyncAssetMessage } from "../messages.ts";
import { searchAssets } from "../search/search-assets.ts";
import { startSync } from "./start-sync.ts";
import { type SyncDeps, syncAsset } from "./sync-asset.ts";

const page = (topic: string) => `# ${topic}\n\nAll about ${topic}.\n\n## Details\n\nMore ${topic}.`;

/** A stage of a synchronization that can fail, and what the asset shows then. */
const stages = [
  ["the source, half-way", { status: "Failed", error: "The source is down." }],
  ["the embedding model", { status: "Failed", error: "The model is down." }],
  ["the write of texts to the bucket", { status: "Syncing" }],
  ["the write of vectors", { status: "Syncing" }],
  ["the removal of vectors", { status: "Syncing" }],
  ["the record before the vectors", { status: "Syncing" }],
  ["the record after the vectors", { status: "Syncing" }],
] as const;
type Stage = (typeof stages)[number][0];

describe("a failure in a stage of a synchronization", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant<TestDatabase>>;
  let model: ReturnType<typeof embeddingProvider>;
  let pages: Record<string, string>;
  let failing: Stage | undefined;
  let deps: SyncDeps;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    tenant = testTenant(db);
    model = embeddingProvider();
    pages = { apples: page("apples"), pears: page("pears"), plums: page("plums") };
    failing = undefined;
    const { objects, vectors } = tenant.deps;
    const unless = async (stage: Stage, work: () => Promise<void>): Promise<void> => {
      if (failing === stage) throw new Error("planned failure");
      await work();
    };
    deps = {
      ...indexingDeps(tenant, model.provider),
      objects: {
        ...objects,
        put: (...of) => unless("the write of texts to the bucket", () => objects.put(...of)),
      },
      vectors: {
        ...vectors,
        put: async (...of) => {
          await unless("the write of vectors", () => vectors.put(...of));
          if (failing === "the record after the vectors") db.failNext("UpdateItem");
        },
        remove: (...of) => unless("the removal of vectors", () => vectors.remove(...of)),
      },
      runtime: tenant.ctx,
      outgoing: {},
      sleep: waitWithTimer,
      sourcesFor: () => [source],
    };
    await createAsset(
      { ...deps, sources: [source] },
      { ctx: tenant.ctx, body: { id: "docs", displayName: "Docs", type: "pages" } },
    );
  });

  const source = defineSource({
    key: "pages",
    displayName: "Pages",
    parameters: z.object({}),
    async *read() {
      for (const [at, [fileName, text]] of Object.entries(pages).entries()) {
        if (failing === "the source, half-way" && at > 0) {
          throw new UpstreamError("The source is down.", { upstream: "pages" });
        }
        yield { fileName, text: [text], link: `https://example.com/${fileName}` };
      }
    },
  });

  const tenantId = () => tenant.ctx.tenant.id;
  const read = async () => {
    const asset = await getAsset(db, tenantId(), "docs");
    if (!asset || !isManaged(asset)) throw new Error("the asset is gone");
    return asset;
  };
  const work = async (message: SyncAssetMessage, attempt: number) =>
    syncAsset(deps, { message, receipt: { until: tenant.ctx.clock() + 800_000, attempt } });
  const start = async () => {
    await startSync(deps, { tenantId: tenantId(), assetId: "docs" });
    return SyncAssetMessage.parse(tenant.sent.splice(0).pop());
  };
  /** Names of the documents that searches find. */
  const searched = async () => {
    const { passages } = await searchAssets(
      { ...tenant.deps, models: createModelRegistry(new Map([["echo", model.provider]])) },
      {
        tenantId: tenantId(),
        search: {
          assetIds: ["docs"],
          query: "all about the details",
          topK: 50,
          filter: {},
          signal: new AbortController().signal,
        },
      },
    );
    return [...new Set(passages.map(({ documentName }) => documentName))].sort();
  };
  /** Keys of all vectors and of those that documents have, and names of texts likewise. */
  const stored = async () => {
    const { indexId } = await read();
    const documents = await Array.fromAsync(listAllDocuments(db, tenantId(), indexId));
    const known = documents.flatMap((document) =>
      listContents(document).flatMap((content) =>
        vectorKeys(indexId, document.documentId, content),
      ),
    );
    const query = { values: embedWords("details"), topK: 100, filter: { asset: indexId } };
    const indexes = ["echo-1", "echo-2"].map((name) =>
      indexName(tenantId(), { providerId: "echo", model: name }),
    );
    const found = await Promise.all(
      indexes.map((index) => tenant.deps.vectors.query(index, query)),
    );
    return {
      vectors: found.flat().map(({ key }) => key),
      known,
      texts: tenant.deps.objects.all.size,
      documents: documents.length,
    };
  };
  const fail = (stage: Stage) => {
    failing = stage;
    if (stage === "the embedding model") {
      model.failAfter(0, new UpstreamError("The model is down.", { upstream: "echo" }));
    }
    if (stage === "the record before the vectors") db.failNext("UpdateItem", 1);
  };
  const recover = () => {
    failing = undefined;
    model.recover();
    db.clearFailures();
  };

  test.each(stages)(
    "%s: searches find the earlier index, no vector is orphaned, and the next run cleans up",
    { tags: "nightly" },
    async (stage, shown) => {
      await work(await start(), 1);
      expect(await searched()).toEqual(["apples", "pears", "plums"]);
      pages = { apples: page("new apples"), pears: page("new pears"), quinces: page("quinces") };
      const message = await start();
      fail(stage);
      await work(message, 1).catch(() => undefined);
      const after = await read();
      expect(after).toMatchObject({ ...shown, documentCount: 3 });
      recover();
      expect(await searched()).toEqual(expect.arrayContaining(["apples", "pears", "plums"]));
      const left = await stored();
      expect(left.known).toEqual(expect.arrayContaining(left.vectors));
      await work(after.status === "Syncing" ? message : await start(), 2);
      expect(await read()).toMatchObject({ status: "Ready", error: null, documentCount: 3 });
      expect(await searched()).toEqual(["apples", "pears", "quinces"]);
      const end = await stored();
      expect(end.vectors.toSorted()).toEqual(end.known.toSorted());
      expect([end.texts, end.documents]).toEqual([3, 3]);
    },
  );

  test("searches find all documents before, while and after another model embeds them, with their links", {
    tags: "nightly",
  }, async () => {
    await work(await start(), 1);
    const body = UpdateAssetBody.parse({ embedding: { providerId: "echo", model: "echo-2" } });
    const input = { assetId: "docs", body };
    await updateAsset({ ...deps, sources: [source] }, { ctx: tenant.ctx, ...input });
    expect(await searched()).toEqual(["apples", "pears", "plums"]);
    const message = await start();
    model.failAfter(2, new Error("planned crash"));
    await work(message, 1).catch(() => undefined);
    recover();
    expect(await read()).toMatchObject({ indexedWith: { model: "echo-1" } });
    expect(await searched()).toEqual(["apples", "pears", "plums"]);
    await work(message, 2);
    expect(await read()).toMatchObject({ indexedWith: { model: "echo-2" }, status: "Ready" });
    expect(await searched()).toEqual(["apples", "pears", "plums"]);
    const end = await stored();
    expect(end.vectors.toSorted()).toEqual(end.known.toSorted());
    expect(end.texts).toBe(3);
  });
});
