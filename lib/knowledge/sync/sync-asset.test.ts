import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { embeddingProvider, indexingDeps, usageToday } from "../../../test/harness/knowledge.ts";
import { type SourceServer, startSourceServer } from "../../../test/harness/source-server.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { embedWords } from "../../engine/models/embed-words.ts";
import { untilAborted } from "../../platform/outgoing/until-aborted.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { LeasedElsewhereError } from "../../platform/queue/leased-elsewhere.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { waitWithTimer } from "../../platform/runtime/wait.ts";
import { createSource as createGithub } from "../../vendors/github/source.ts";
import { defineSource } from "../../vendors/source.ts";
import { isManaged, toAsset } from "../asset/asset-item.ts";
import { createAsset } from "../asset/create-asset.ts";
import { deleteAsset } from "../asset/delete-asset.ts";
import { UpdateAssetBody } from "../asset/schemas.ts";
import { getAsset } from "../asset/store.ts";
import { updateAsset } from "../asset/update-asset.ts";
import { createEmbedder } from "../document/embedder.ts";
import { indexDocument } from "../document/index-document.ts";
import { listAllDocuments } from "../document/store.ts";
import { indexName } from "../index/index-name.ts";
import { PurgeAssetMessage, SyncAssetMessage } from "../messages.ts";
import { refreshAssets } from "./refresh-assets.ts";
import { startSync } from "./start-sync.ts";
import { type SyncDeps, syncAsset } from "./sync-asset.ts";
import { createRun } from "./sync-run.ts";
import { changeSync } from "./sync-store.ts";

const page = (topic: string) =>
  `# ${topic}\n\nAll about ${topic}, the best topic.\n\n## Details\n\nMore about ${topic}.`;

describe("a synchronization", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;
  let model: ReturnType<typeof embeddingProvider>;
  let deps: SyncDeps;
  let files: Record<string, string>;
  let server: SourceServer;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    tenant = testTenant(db);
    model = embeddingProvider();
    files = { "apples.md": page("apples"), "pears.md": page("pears"), "plums.md": page("plums") };
    server = await startSourceServer({ files });
    deps = {
      ...indexingDeps(tenant, model.provider),
      runtime: tenant.ctx,
      outgoing: { allowPrivateAddresses: true },
      sleep: waitWithTimer,
      sourcesFor: () => [createGithub()],
    };
    await create({
      id: "docs",
      displayName: "Docs",
      type: "github",
      parameters: { repository: "acme/app", baseUrl: server.url, token: "secret" },
    });
  });
  afterEach(() => server.close());

  const tenantId = () => tenant.ctx.tenant.id;
  const assetDeps = () => ({ ...deps, sources: deps.sourcesFor(tenantId()) });
  const create = (body: Parameters<typeof createAsset>[1]["body"]) =>
    createAsset(assetDeps(), { ctx: tenant.ctx, body });
  const read = async (assetId = "docs") => {
    const asset = await getAsset(db, tenantId(), assetId);
    if (!asset || !isManaged(asset)) throw new Error("the asset is gone");
    return asset;
  };
  const start = (assetId = "docs") => startSync(deps, { tenantId: tenantId(), assetId });
  const messages = () => tenant.sent.splice(0).map((message) => SyncAssetMessage.parse(message));
  const later = () => tenant.ctx.clock() + 800_000;
  /** Handles messages until there are none. */
  const work = async (until = later()) => {
    for (let left = messages(); left.length > 0; left = messages()) {
      for (const message of left)
        await syncAsset(deps, { message, receipt: { until, attempt: 1 } });
    }
  };
  const sync = async (assetId = "docs") => {
    await start(assetId);
    await work();
    return read(assetId);
  };
  const documents = async (assetId = "docs") => {
    const { indexId } = await read(assetId);
    const all = await Array.fromAsync(listAllDocuments(db, tenantId(), indexId));
    return all.map(({ name }) => name).sort();
  };
  /** Documents that a search finds. */
  const found = async (model = "echo-1") => {
    const { indexId } = await read();
    const vectors = await tenant.deps.vectors.query(
      indexName(tenantId(), { providerId: "echo", model }),
      { values: embedWords("topic"), topK: 100, filter: { asset: indexId } },
    );
    return new Set(vectors.map(({ key }) => key.split("/")[1])).size;
  };

  const usage = async () => (await usageToday(tenant)).map(({ inputTokens }) => inputTokens);

  test("counts its embeddings once when the response to the count is lost, and when it is deleted", {
    tags: "nightly",
  }, async () => {
    await start();
    const [message] = messages();
    if (!message) throw new Error("no message");
    db.loseNextResponse("TransactWriteItems");
    await syncAsset(deps, { message, receipt: { until: later(), attempt: 1 } }).catch(
      () => undefined,
    );
    await syncAsset(deps, { message, receipt: { until: later(), attempt: 2 } });
    const { embeddedTokens } = await read();
    expect(await usage()).toEqual([embeddedTokens]);
    await create({ id: "files", displayName: "Files", type: "upload" });
    const asset = await read("files");
    await deleteAsset(deps, { tenantId: tenantId(), assetId: "files" });
    const place = { tenantId: tenantId(), indexId: asset.indexId };
    const { signal } = new AbortController();
    const document = { documentId: "a", name: "a.txt", link: null, metadata: {}, version: null };
    const { tokens } = await indexDocument(deps, {
      asset,
      place,
      signal,
      document: { ...document, text: "apples" },
    });
    expect(await usage()).toEqual([embeddedTokens + tokens]);
  });

  test("repeats a count after its response was lost, and counts it and the next one once", async () => {
    await start();
    const { sync: startedSync, ...asset } = await read();
    if (!startedSync) throw new Error("no synchronization");
    const worker = newUuid(tenant.ctx);
    await changeSync(db, tenantId(), { ...asset, sync: startedSync }, { ...startedSync, worker });
    const { signal } = new AbortController();
    const { embedding } = asset;
    const embedder = await createEmbedder(deps, { tenantId: tenantId(), embedding, signal });
    const owner = { tenantId: tenantId(), assetId: "docs", worker };
    const run = createRun(deps, { owner, asset: await read(), embedder, until: later() });
    try {
      await embedder.embed(["one word"]);
      db.loseNextResponse("TransactWriteItems");
      await expect(run.update()).rejects.toThrow("planned loss");
      await embedder.embed(["two more words"]);
      await run.update();
    } finally {
      run.close();
    }
    const texts = ["one word", "two more words"];
    const embedded = await model.provider.embed?.({ model: "echo-1", texts, signal });
    expect(await usage()).toEqual([embedded?.inputTokens]);
    expect((await read()).embeddedTokens).toBe(embedded?.inputTokens);
  });

  test("indexes the documents of the source, and shows its counts", async () => {
    expect(await start()).toMatchObject({ status: "Syncing" });
    await work();
    const asset = await read();
    expect(toAsset(asset)).toMatchObject({
      status: "Ready",
      vectorized: true,
      error: null,
      lastSyncedAt: expect.any(Number),
      documentCount: 3,
      progress: { documentsSeen: 3, documentsIndexed: 3, documentsRemoved: 0 },
    });
    expect(asset.progress.tokens).toBeGreaterThan(0);
    expect(asset.embeddingCost).toBeCloseTo(asset.embeddedTokens / 1_000_000, 12);
    expect(asset.embeddedTokens).toBeGreaterThan(0);
    expect(await usage()).toEqual([asset.embeddedTokens]);
    expect(await documents()).toEqual(["apples.md", "pears.md", "plums.md"]);
    expect(await found()).toBe(3);
    expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer secret");
  });

  test("reads and embeds only changed documents, and removes deleted ones", {
    tags: "nightly",
  }, async () => {
    const { embeddedTokens } = await sync();
    model.texts.length = 0;
    server.requests.length = 0;
    expect(await sync()).toMatchObject({ embeddedTokens, documentCount: 3 });
    expect(model.texts).toEqual([]);
    expect(server.requests.filter(({ path }) => path.includes("/blobs/"))).toEqual([]);
    await server.close();
    server = await startSourceServer({
      files: { "apples.md": files["apples.md"] ?? "", "pears.md": page("quinces") },
    });
    await updateAsset(assetDeps(), {
      ctx: tenant.ctx,
      assetId: "docs",
      body: UpdateAssetBody.parse({
        parameters: { repository: "acme/app", baseUrl: server.url },
      }),
    });
    expect(await sync()).toMatchObject({
      documentCount: 2,
      progress: { documentsSeen: 2, documentsIndexed: 1, documentsRemoved: 1 },
    });
    expect(model.texts.every((text) => text.includes("quinces") || text.includes("Details"))).toBe(
      true,
    );
    expect(await documents()).toEqual(["apples.md", "pears.md"]);
    expect(await found()).toBe(2);
    expect(tenant.deps.objects.all.size).toBe(2);
  });

  test("removes nothing when the source fails half-way, and the next one continues", async () => {
    await sync();
    const blobs = server.requests.filter(({ path }) => path.includes("/blobs/"));
    expect(blobs).toHaveLength(3);
    server.failAt("/git/trees/", { status: 500 });
    const failed = await sync();
    expect(toAsset(failed)).toMatchObject({
      status: "Failed",
      error: expect.stringContaining("failed: try again later"),
      documentCount: 3,
    });
    expect(await found()).toBe(3);
  });

  test("ends at a source with too many documents, and keeps the indexed ones", {
    tags: "nightly",
  }, async () => {
    deps = { ...deps, mostDocuments: 2 };
    expect(toAsset(await sync())).toMatchObject({
      status: "Failed",
      error: "The source has more than 2 documents. Narrow its parameters.",
    });
    expect(await documents()).toHaveLength(2);
    delete files["plums.md"];
    expect(toAsset(await sync())).toMatchObject({ status: "Ready", documentCount: 2 });
  });

  test("keeps the index when the model fails half-way, and the next one continues from there", {
    tags: "nightly",
  }, async () => {
    model.failAfter(1, new UpstreamError("The model is down.", { upstream: "echo" }));
    const failed = await sync();
    expect(failed).toMatchObject({ status: "Failed", error: "The model is down.", sync: null });
    expect(failed.embeddedTokens).toBeGreaterThan(0);
    const before = await found();
    expect(before).toBe(1);
    model.recover();
    const { length } = model.texts;
    expect(await sync()).toMatchObject({ status: "Ready", documentCount: 3 });
    expect(model.texts.length - length).toBe(length * 2);
    expect(await found()).toBe(3);
  });

  test("is one at a time: those requested while it runs become one", {
    tags: "nightly",
  }, async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const gated = defineSource({
      key: "gated",
      displayName: "Gated",
      parameters: z.object({}),
      async *read() {
        await released;
        yield { fileName: "a", text: [] };
      },
    });
    deps = { ...deps, sourcesFor: () => [gated] };
    await create({ id: "docs-2", displayName: "Docs", type: "gated" });
    const startSecond = () => start("docs-2");
    await Promise.all([startSecond(), startSecond(), startSecond()]);
    const [message, ...others] = messages();
    if (!message) throw new Error("no message");
    expect(others).toEqual([]);
    const working = syncAsset(deps, { message, receipt: { until: later(), attempt: 1 } });
    await expect.poll(async () => (await read("docs-2")).sync?.worker).toBeTruthy();
    await Promise.all([startSecond(), startSecond(), startSecond()]);
    const second = syncAsset(deps, { message, receipt: { until: later(), attempt: 1 } });
    await expect(second).rejects.toBeInstanceOf(LeasedElsewhereError);
    release();
    await working;
    expect(messages()).toHaveLength(1);
    expect(await read("docs-2")).toMatchObject({ status: "Syncing", sync: { again: false } });
  });

  test("starts at the interval of its asset, and again when its message is lost", {
    tags: "nightly",
  }, async () => {
    const now = () => tenant.ctx.clock();
    const refresh = () => refreshAssets(deps, now() + 60_000);
    const set = (every: string | null) =>
      updateAsset(assetDeps(), {
        ctx: tenant.ctx,
        assetId: "docs",
        body: UpdateAssetBody.parse({ refresh: every }),
      });
    await refresh();
    expect(messages()).toEqual([]);
    await set("hourly");
    await refresh();
    expect(messages()).toHaveLength(1);
    await refresh();
    expect(messages()).toEqual([]);
    tenant.advance(16 * 60_000);
    await refresh();
    await work();
    expect(await read()).toMatchObject({ status: "Ready" });
    tenant.advance(59 * 60_000);
    await refresh();
    expect(messages()).toEqual([]);
    tenant.advance(2 * 60_000);
    await refresh();
    await work();
    expect((await read()).lastSyncedAt).toBe(now());
    await set(null);
    tenant.advance(2 * 3_600_000);
    await refresh();
    expect(messages()).toEqual([]);
  });

  test("is started again once by the next request after its message was lost", {
    tags: "nightly",
  }, async () => {
    await start();
    const [lost] = messages();
    await start();
    expect(messages()).toEqual([]);
    tenant.advance(60_000);
    await Promise.all([start(), start(), start()]);
    const sent = messages();
    expect(sent).toEqual([lost]);
    for (const message of [...sent, ...sent]) {
      await syncAsset(deps, { message, receipt: { until: later(), attempt: 1 } });
    }
    expect(await read()).toMatchObject({ status: "Ready", documentCount: 3 });
    expect(messages()).toEqual([]);
  });

  test("is started again by the job for refreshes a minute after its message was lost", {
    tags: "nightly",
  }, async () => {
    await start();
    const [lost] = messages();
    await refreshAssets(deps, tenant.ctx.clock() + 60_000);
    expect(messages()).toEqual([]);
    tenant.advance(60_001);
    await refreshAssets(deps, tenant.ctx.clock() + 60_000);
    expect(messages()).toEqual([lost]);
  });

  test("continues after its worker crashed, once the lease ends", { tags: "nightly" }, async () => {
    await start();
    const [message] = messages();
    if (!message) throw new Error("no message");
    model.failAfter(2, new Error("planned crash"));
    const again = () => syncAsset(deps, { message, receipt: { until: later(), attempt: 1 } });
    await expect(again()).rejects.toThrow("planned crash");
    model.recover();
    const until = (await read()).sync?.leaseUntil ?? 0;
    await expect(again()).rejects.toMatchObject({ name: "LeasedElsewhereError", until });
    await Promise.all([start(), start(), start()]);
    expect(messages()).toEqual([]);
    tenant.advance(until - tenant.ctx.clock() + 1);
    await refreshAssets(deps, tenant.ctx.clock() + 60_000);
    await work();
    expect(await read()).toMatchObject({ status: "Ready", documentCount: 3, sync: null });
  });

  test("that a crash interrupts is repeated, and embeds no document twice that was done", async () => {
    await start();
    const [message] = messages();
    if (!message) throw new Error("no message");
    model.failAfter(2, new Error("planned crash"));
    const attempt = (number: number) =>
      syncAsset(deps, { message, receipt: { until: later(), attempt: number } });
    await expect(attempt(1)).rejects.toThrow("planned crash");
    expect(await read()).toMatchObject({ status: "Syncing" });
    const embeddedCount = model.texts.length;
    model.recover();
    await attempt(2);
    expect(await read()).toMatchObject({ status: "Ready", documentCount: 3 });
    expect(model.texts).toHaveLength((embeddedCount / 2) * 3);
    expect(await found()).toBe(3);
  });

  test("fails with the last attempt at an unexpected error", async () => {
    await start();
    const [message] = messages();
    if (!message) throw new Error("no message");
    model.failAfter(0, new Error("planned failure"));
    await syncAsset(deps, { message, receipt: { until: later(), attempt: 5 } });
    expect(await read()).toMatchObject({
      status: "Failed",
      error: expect.stringContaining("unexpectedly"),
      sync: null,
    });
  });

  test("continues in another message when its time is over, and reads no document again", {
    tags: "nightly",
  }, async () => {
    const reads: string[] = [];
    let messagesSent = 0;
    const slow = defineSource({
      key: "slow",
      displayName: "Slow",
      parameters: z.object({}),
      async *read(_, { signal, skip }) {
        for (const fileName of ["a", "b", "c"]) {
          const isSkipped = skip?.({ fileName }) === true;
          if (!isSkipped) reads.push(fileName);
          yield { fileName, text: isSkipped ? [] : [page(fileName)] };
          if (!isSkipped) await untilAborted(signal, new Promise(() => undefined));
        }
      },
    });
    deps = { ...deps, sourcesFor: () => [slow] };
    await create({ id: "slow", displayName: "Slow", type: "slow" });
    await start("slow");
    for (let left = messages(); left.length > 0; left = messages()) {
      messagesSent += left.length;
      const until = tenant.ctx.clock() + 700;
      for (const message of left)
        await syncAsset(deps, { message, receipt: { until, attempt: 1 } });
    }
    expect(messagesSent).toBe(4);
    expect(reads).toEqual(["a", "b", "c"]);
    expect(await read("slow")).toMatchObject({
      status: "Ready",
      documentCount: 3,
      progress: { documentsSeen: 3, documentsIndexed: 3 },
    });
  });

  test("that gets nowhere in its time fails", async () => {
    server.failAt("/git/trees/", "hang");
    await start();
    await work(tenant.ctx.clock() + 50);
    expect(await read()).toMatchObject({
      status: "Failed",
      error: expect.stringContaining("no progress"),
    });
  });

  test("with another model embeds all again, and searches the former index until it is done", {
    tags: "nightly",
  }, async () => {
    await sync();
    const embedded = model.texts.length;
    const body = UpdateAssetBody.parse({ embedding: { providerId: "echo", model: "echo-2" } });
    await updateAsset(assetDeps(), { ctx: tenant.ctx, assetId: "docs", body });
    model.failAfter(1, new UpstreamError("The model is down.", { upstream: "echo" }));
    await sync();
    expect(await found()).toBe(3);
    expect(await read()).toMatchObject({ indexedWith: { model: "echo-1" }, status: "Failed" });
    model.recover();
    expect(await sync()).toMatchObject({ indexedWith: { model: "echo-2" }, status: "Ready" });
    expect(await found()).toBe(0);
    expect(await found("echo-2")).toBe(3);
    expect(model.texts).toHaveLength(2 * embedded);
    expect(tenant.deps.objects.all.size).toBe(3);
  });

  test("of uploaded documents removes none, and embeds them again with another model", {
    tags: "nightly",
  }, async () => {
    await create({ id: "files", displayName: "Files", type: "upload" });
    const asset = await read("files");
    const place = { tenantId: tenantId(), indexId: asset.indexId };
    const { signal } = new AbortController();
    const document = { documentId: "a", name: "a.txt", link: null, metadata: {}, version: null };
    await indexDocument(deps, {
      asset,
      place,
      signal,
      document: { ...document, text: page("apples") },
    });
    expect(await sync("files")).toMatchObject({ status: "Ready", documentCount: 1 });
    const body = UpdateAssetBody.parse({ embedding: { providerId: "echo", model: "echo-2" } });
    await updateAsset(assetDeps(), { ctx: tenant.ctx, assetId: "files", body });
    expect(await sync("files")).toMatchObject({ status: "Ready", documentCount: 1 });
    expect(await documents("files")).toEqual(["a.txt"]);
    expect(tenant.deps.objects.all.size).toBe(1);
  });

  test("stops when the asset is deleted, which leaves nothing", async () => {
    await sync();
    const { indexId } = await read();
    await start();
    const [message] = messages();
    await deleteAsset(deps, { tenantId: tenantId(), assetId: "docs" });
    const purging = PurgeAssetMessage.parse(tenant.sent.pop());
    const until = Number.MAX_SAFE_INTEGER;
    await purge(purging, { ...tenant.deps, clock: tenant.ctx.clock, until });
    if (message) await syncAsset(deps, { message, receipt: { until: later(), attempt: 1 } });
    expect(tenant.deps.objects.all.size).toBe(0);
    expect(await Array.fromAsync(listAllDocuments(db, tenantId(), indexId))).toEqual([]);
  });
});
