import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { embeddingProvider, indexingDeps, usageToday } from "../../../test/harness/knowledge.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { embedWords } from "../../engine/models/embed-words.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { isManaged } from "../asset/asset-item.ts";
import { createAsset } from "../asset/create-asset.ts";
import { getAsset } from "../asset/store.ts";
import { indexName } from "../index/index-name.ts";
import { indexDocument } from "./index-document.ts";
import { removeWhole } from "./remove-contents.ts";
import { getDocument } from "./store.ts";

const signal = new AbortController().signal;
const sections = (topic: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `# ${topic} ${at}\n\nHow to ${topic} the part ${at} of the machine, step by step.`,
  ).join("\n\n");
const manual = {
  documentId: "manual",
  name: "Manual",
  link: "https://example.com/manual",
  metadata: { space: "OPS" },
  version: null,
  text: sections("clean", 5),
};

describe("a document of an asset", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;
  let model: ReturnType<typeof embeddingProvider>;
  let deps: ReturnType<typeof indexingDeps>;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    tenant = testTenant(db);
    model = embeddingProvider();
    deps = indexingDeps(tenant, model.provider);
    await createAsset(
      { ...tenant.deps, outgoing: {}, sources: [] },
      { ctx: tenant.ctx, body: { id: "docs", displayName: "Docs", type: "upload" } },
    );
  });

  const read = async () => {
    const asset = await getAsset(db, tenant.ctx.tenant.id, "docs");
    if (!asset || !isManaged(asset)) throw new Error("the asset is gone");
    return asset;
  };
  const toIndexPlace = ({ indexId }: { indexId: string }) => ({
    tenantId: tenant.ctx.tenant.id,
    indexId,
  });
  const index = async (document: typeof manual) => {
    const asset = await read();
    return indexDocument(deps, { asset, place: toIndexPlace(asset), signal, document });
  };
  const found = async (text: string) => {
    const asset = await read();
    return tenant.deps.vectors.query(indexName(tenant.ctx.tenant.id, asset.embedding), {
      values: embedWords(text),
      topK: 100,
      filter: { asset: asset.indexId },
    });
  };
  const texts = () =>
    [...tenant.deps.objects.all.values()].map((body) => JSON.parse(gunzipSync(body).toString()));

  test("is embedded once per text, and the cost of its tokens is counted for the asset and in usage", {
    tags: "nightly",
  }, async () => {
    expect(await index(manual)).toMatchObject({ documentId: "manual", embedded: true });
    const embedded = model.texts.length;
    const asset = await read();
    expect(asset.embeddedTokens).toBeGreaterThan(0);
    expect(asset.embeddingCost).toBeCloseTo(asset.embeddedTokens / 1_000_000, 12);
    expect(await found("clean")).toHaveLength(embedded);
    expect(texts()).toEqual([
      Array.from({ length: embedded }, () => ({
        text: expect.stringContaining("clean"),
        heading: expect.stringMatching(/^clean \d$/),
        start: expect.any(Number),
      })),
    ]);
    expect(await index(manual)).toMatchObject({ embedded: false });
    expect(model.texts).toHaveLength(embedded);
    const { embeddedTokens, embeddingCost } = await read();
    expect(embeddedTokens).toBe(asset.embeddedTokens);
    const counted = { executionCount: 0, inputTokens: embeddedTokens, totalCost: embeddingCost };
    expect(await usageToday(tenant)).toEqual([{ key: "echo/echo-1", ...counted }]);
    for (const groupBy of ["agent", "revision", "trigger"] as const) {
      expect(await usageToday(tenant, groupBy)).toEqual([{ key: "(knowledge)", ...counted }]);
    }
  });

  test("loses the vectors and texts of its earlier text", { tags: "nightly" }, async () => {
    await index(manual);
    await index({ ...manual, text: "Only a short text is left." });
    expect(await found("clean")).toHaveLength(1);
    expect(texts()).toEqual([[{ text: "Only a short text is left.", heading: null, start: 0 }]]);
    const asset = await read();
    expect(await getDocument(db, toIndexPlace(asset), "manual")).toMatchObject({
      status: "Indexed",
      indexed: { chunkCount: 1 },
      others: [],
    });
  });

  test("keeps its earlier text when the model fails, and calls before that are counted", {
    tags: "nightly",
  }, async () => {
    await index(manual);
    const before = await found("clean");
    const counted = (await read()).embeddedTokens;
    model.failAfter(1, new UpstreamError("The model is down.", { upstream: "echo" }));
    const long = { ...manual, text: sections("repair", 400) };
    await expect(index(long)).rejects.toThrow("The model is down.");
    const keys = new Set((await found("clean")).map(({ key }) => key));
    expect(before.every(({ key }) => keys.has(key))).toBe(true);
    expect((await read()).embeddedTokens).toBeGreaterThan(counted);
    model.recover();
    await index({ ...manual, text: "Only a short text is left." });
    expect(await found("repair")).toHaveLength(1);
    expect(texts()).toHaveLength(1);
  });

  test.each([0, 1, 2, 3])(
    "that a crash interrupts at write %i leaves nothing behind when it is indexed or removed",
    { tags: "nightly" },
    async (passing) => {
      await index(manual);
      for (const next of ["indexed", "removed"]) {
        db.failNext("UpdateItem", passing);
        await index({ ...manual, text: sections(`${next} ${passing}`, 6) }).catch(() => undefined);
        db.clearFailures();
        const asset = await read();
        if (next === "indexed") {
          await index({ ...manual, text: "Only a short text is left." });
          expect(await found("machine")).toHaveLength(1);
          expect(texts()).toHaveLength(1);
        } else {
          const document = await getDocument(db, toIndexPlace(asset), "manual");
          if (document)
            await removeWhole(deps, { place: toIndexPlace(asset), documents: [document] });
          expect(await found("machine")).toEqual([]);
          expect(texts()).toEqual([]);
        }
      }
    },
  );
});
