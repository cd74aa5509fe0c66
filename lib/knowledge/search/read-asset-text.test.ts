import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { indexingDeps } from "../../../test/harness/knowledge.ts";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { echoModel } from "../../engine/models/echo.ts";
import { createModelRegistry } from "../../engine/models/registry.ts";
import { isManaged, type ManagedAsset } from "../asset/asset-item.ts";
import { createAsset } from "../asset/create-asset.ts";
import { deleteAsset } from "../asset/delete-asset.ts";
import { CreateAssetBody } from "../asset/schemas.ts";
import { deriveDocumentId } from "../document/document-id.ts";
import { indexDocument } from "../document/index-document.ts";
import { getDocument, putFailure, putNewDocument } from "../document/store.ts";
import { splitText } from "../index/split-text.ts";
import { sliceText, textLength } from "./slice-text.ts";
import { tenantKnowledge } from "./tenant-knowledge.ts";

test("the parts of a text are the text, but for white space", async () => {
  const words = fc.constantFrom(
    "Some words. ",
    "\n\n",
    "# Title\n",
    "a",
    "é",
    "💾",
    " ",
    "x".repeat(50),
  );
  const texts = fc.array(words, { minLength: 1 }).map((parts) => parts.join("").trim());
  const bare = (value: string) => value.replaceAll(/\s/g, "");
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 2, max: 80 }), async (text, maxLength) => {
      const chunking = { size: 12, overlap: 5 };
      const count = (part: string) => Math.ceil(part.length / 3);
      const chunks = await Array.fromAsync(splitText([text], { chunking, count }));
      const parts: string[] = [];
      for (let offset = 0; offset < textLength(chunks); offset += parts.at(-1)?.length ?? 1) {
        parts.push(sliceText(chunks, { offset, maxLength }));
        expect(parts.at(-1)?.length).toBeGreaterThan(0);
        expect(parts.at(-1)?.length).toBeLessThanOrEqual(maxLength);
        expect(parts.at(-1)?.isWellFormed()).toBe(true);
      }
      expect(parts.join("").length).toBe(text.length);
      expect(bare(parts.join(""))).toBe(bare(text));
    }),
    { numRuns: propertyRuns(300) },
  );
});

describe("a resource", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;
  let asset: ManagedAsset;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    tenant = testTenant(db);
    const created = await createAsset(
      { ...tenant.deps, outgoing: {}, sources: [] },
      {
        ctx: tenant.ctx,
        body: CreateAssetBody.parse({ id: "docs", displayName: "Docs", type: "upload" }),
      },
    );
    if (!isManaged(created)) throw new Error("the asset has no source");
    asset = created;
  });

  const place = () => ({ tenantId: tenant.ctx.tenant.id, indexId: asset.indexId });
  const index = (name: string, text: string, documentId = deriveDocumentId(name)) =>
    indexDocument(indexingDeps(tenant, echoModel), {
      asset,
      place: place(),
      signal: new AbortController().signal,
      document: { documentId, name, link: null, metadata: {}, version: null, text },
    });
  const knowledge = () =>
    tenantKnowledge({ ...tenant.deps, models: createModelRegistry() }, tenant.ctx.tenant.id);
  const read = (more: { assetId?: string; document?: string; offset?: number } = {}) =>
    knowledge().read({ assetId: "docs", document: undefined, offset: 0, maxLength: 60, ...more });

  const long = Array.from({ length: 30 }, (_, at) => `Line number ${at} of the text.\n`).join("");

  test("with one document is read part by part, by two calls of the table", {
    tags: "nightly",
  }, async () => {
    await index("a.md", long);
    const parts: string[] = [];
    db.calls.length = 0;
    for (let offset: number | null = 0; offset !== null; ) {
      const part = await read({ offset });
      if (!("text" in part)) throw new Error("it has no text");
      expect(part).toMatchObject({ documentName: "a.md", length: long.trim().length });
      parts.push(part.text);
      offset = part.nextOffset;
    }
    expect(parts.join("")).toBe(long.trim());
    expect(parts.length).toBeGreaterThan(10);
    expect(db.calls.slice(0, 4)).toEqual(["GetItem", "Query", "GetItem", "Query"]);
    await expect(read({ offset: 5_000 })).rejects.toThrow("is beyond the text");
  });

  test("with several documents is listed, and one is read by name or id, also of a source", async () => {
    await index("a.md", "One.");
    await index("b.md", "Two.", "ABCDEFGHIJKLMNOPQRSTUV");
    expect(await read()).toMatchObject({
      documents: expect.arrayContaining([
        { id: deriveDocumentId("a.md"), name: "a.md" },
        { id: "ABCDEFGHIJKLMNOPQRSTUV", name: "b.md" },
      ]),
      nextOffset: null,
    });
    for (const document of ["b.md", "ABCDEFGHIJKLMNOPQRSTUV"]) {
      expect(await read({ document })).toMatchObject({ documentName: "b.md", text: "Two." });
    }
    expect(await read({ offset: 1 })).toMatchObject({ documents: [expect.anything()] });
    await expect(read({ document: "c.md" })).rejects.toThrow('has no document "c.md"');
    await expect(read({ offset: 9 })).rejects.toThrow("has no more documents");
  });

  test("that is not there, or not indexed, is refused with the reason", async () => {
    await expect(read({ assetId: "none" })).rejects.toThrow('The asset "none" does not exist.');
    await expect(read()).rejects.toThrow('The asset "docs" has no indexed documents yet.');
    const now = tenant.ctx.clock();
    const pending = await putNewDocument(db, place(), {
      documentId: "d",
      name: "d.pdf",
      link: null,
      metadata: {},
      version: null,
      status: "Pending",
      error: null,
      createdAt: now,
      modifiedAt: now,
    });
    if (pending === "changed") throw new Error("it was not written");
    await expect(read()).rejects.toThrow('"d.pdf" is not indexed yet');
    await putFailure(db, place(), pending, { error: "Not a PDF.", modifiedAt: now });
    await expect(read()).rejects.toThrow('"d.pdf" could not be indexed: Not a PDF.');
    expect(await getDocument(db, place(), "d")).toMatchObject({ status: "Failed" });
    const { id } = tenant.ctx.tenant;
    await deleteAsset(tenant.deps, { tenantId: id, assetId: "docs" });
    await expect(read()).rejects.toThrow('The asset "docs" does not exist.');
  });

  test("of another tenant does not exist", async () => {
    await index("a.md", "One.");
    const other = testTenant(db);
    const theirs = tenantKnowledge(
      { ...other.deps, models: createModelRegistry() },
      other.ctx.tenant.id,
    );
    const request = { assetId: "docs", document: undefined, offset: 0, maxLength: 60 };
    await expect(theirs.read(request)).rejects.toThrow("does not exist");
  });

  test("that a search may do without is reported, and the others are found", async () => {
    await index("a.md", "Deploy an agent.");
    const { signal } = new AbortController();
    const query = { query: "deploy", topK: 3, filter: {}, signal };
    const assetIds = ["docs", "none"];
    expect(await knowledge().search({ ...query, assetIds, optional: ["none"] })).toMatchObject({
      passages: [{ documentName: "a.md" }],
      unavailable: [{ assetId: "none", detail: "does not exist" }],
    });
    await expect(knowledge().search({ ...query, assetIds, optional: ["docs"] })).rejects.toThrow(
      'no asset "none"',
    );
  });
});
