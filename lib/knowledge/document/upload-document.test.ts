import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { embeddingProvider, indexingDeps } from "../../../test/harness/knowledge.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { embedWords } from "../../engine/models/embed-words.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { createAsset } from "../asset/create-asset.ts";
import { deleteAsset } from "../asset/delete-asset.ts";
import { getAsset } from "../asset/store.ts";
import type { UploadedFile } from "../files/file-kind.ts";
import { fileLimits } from "../files/file-limits.ts";
import { indexName } from "../index/index-name.ts";
import { IndexDocumentMessage, PurgeAssetMessage, RemoveDocumentMessage } from "../messages.ts";
import { completeUpload } from "./complete-upload.ts";
import { createUpload } from "./create-upload.ts";
import { deleteDocument } from "./delete-document.ts";
import { type DocumentItem, startedObject } from "./document-item.ts";
import { indexUpload } from "./index-upload.ts";
import { getDocument, listAllDocuments, listDocuments, listStoredDocuments } from "./store.ts";
import { uploadDocument } from "./upload-document.ts";

const { signal } = new AbortController();

describe("an uploaded document", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;
  let model: ReturnType<typeof embeddingProvider>;
  let extracted: number;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    tenant = testTenant(db);
    model = embeddingProvider();
    extracted = 0;
    await createAsset(
      { ...tenant.deps, outgoing: {}, sources: [] },
      { ctx: tenant.ctx, body: { id: "docs", displayName: "Docs", type: "upload" } },
    );
  });

  const upload = (name: string, text: string) =>
    uploadDocument(tenant.deps, {
      ctx: tenant.ctx,
      assetId: "docs",
      name,
      contentType: "text/plain",
      bytes: Buffer.from(text),
    });
  const extract = async (_tenantId: TenantId, { bytes }: UploadedFile) => {
    extracted += 1;
    const text = Buffer.from(bytes).toString();
    return text === "broken"
      ? ({ ok: false, reason: "is not a valid PDF." } as const)
      : ({ ok: true, text } as const);
  };
  const work = async (message: unknown, attempt = 1) =>
    indexUpload(
      { ...indexingDeps(tenant, model.provider), extract },
      { message: IndexDocumentMessage.parse(message), attempt: { attempt, signal } },
    );
  /** Starts to read a file in a function that ends then: nothing after it happens. */
  const die = async (message: unknown, attempt: number) => {
    const { promise: dead, resolve: die } = Promise.withResolvers<void>();
    const never = async () => {
      die();
      return new Promise<never>(() => undefined);
    };
    void indexUpload(
      { ...indexingDeps(tenant, model.provider), extract: never },
      { message: IndexDocumentMessage.parse(message), attempt: { attempt, signal } },
    );
    await dead;
  };
  const workAll = async () => {
    for (const message of tenant.sent.splice(0)) await work(message);
  };
  const asset = async () => {
    const found = await getAsset(db, tenant.ctx.tenant.id, "docs");
    if (!found?.embedding) throw new Error("the asset is gone");
    return { ...found, embedding: found.embedding };
  };
  const read = async ({ documentId }: DocumentItem) => {
    const { indexId } = await asset();
    return getDocument(db, { tenantId: tenant.ctx.tenant.id, indexId }, documentId);
  };
  const vectors = async () => {
    const { indexId, embedding } = await asset();
    const index = indexName(tenant.ctx.tenant.id, embedding);
    const query = { values: embedWords("desk"), topK: 100, filter: { asset: indexId } };
    return tenant.deps.vectors.query(index, query);
  };

  test("is pending, then indexed; its asset is ready and counts it once", async () => {
    const document = await upload("desk.txt", "The desk is 70 cm high.");
    expect(document).toMatchObject({ name: "desk.txt", status: "Pending" });
    expect(await asset()).toMatchObject({ status: "Empty", documentCount: 0 });
    const [message] = tenant.sent;
    await workAll();
    await work(message);
    expect(extracted).toBe(1);
    expect(await read(document)).toMatchObject({ status: "Indexed", error: null });
    expect(await asset()).toMatchObject({ status: "Ready", documentCount: 1 });
    expect(await vectors()).toHaveLength(1);
  });

  test("of the same name is replaced, and found until the new one is indexed", async () => {
    const first = await upload("desk.txt", "The desk is 70 cm high.");
    await workAll();
    const [before] = await vectors();
    const second = await upload("desk.txt", "The desk is 80 cm high.");
    expect(second).toMatchObject({ documentId: first.documentId, status: "Pending" });
    expect(await vectors()).toEqual([before]);
    await workAll();
    const [after, ...others] = await vectors();
    expect([after?.key === before?.key, others]).toEqual([false, []]);
    expect(await asset()).toMatchObject({ documentCount: 1 });
    expect([...tenant.deps.objects.all.keys()]).toHaveLength(2);
  });

  test("that cannot be read fails with the reason, and the text before it stays", async () => {
    const document = await upload("desk.txt", "The desk is 70 cm high.");
    await workAll();
    await upload("desk.txt", "broken");
    await workAll();
    const failed = { status: "Failed", error: "The file is not a valid PDF." };
    expect(await read(document)).toMatchObject(failed);
    expect(await vectors()).toHaveLength(1);
    expect(await asset()).toMatchObject({ status: "Ready", documentCount: 1 });
  });

  test("fails when its model failed at every attempt", async () => {
    const document = await upload("desk.txt", "The desk is 70 cm high.");
    const [message] = tenant.sent;
    model.failAfter(0, new UpstreamError("The model is gone.", { upstream: "echo" }));
    await expect(work(message)).rejects.toThrow("The model is gone.");
    expect(await read(document)).toMatchObject({ status: "Pending" });
    await work(message, 3);
    expect(await read(document)).toMatchObject({ status: "Failed", error: "The model is gone." });
    expect(await asset()).toMatchObject({ status: "Empty", documentCount: 0 });
  });

  test("fails when reading its file ended the function repeatedly, with only that as the reason", async () => {
    const huge = await upload("huge.txt", "The file.");
    const [message] = tenant.sent;
    for (const attempt of [1, 2, 3, 4]) await die(message, attempt);
    expect(await read(huge)).toMatchObject({ status: "Pending", error: null });
    await work(message, 5);
    const error = "The file could not be read: the function ended 3 times while reading it.";
    expect(await read(huge)).toMatchObject({ status: "Failed", error });
  });

  test("is indexed at the last attempt when the others were cut off elsewhere, and after a new upload", {
    tags: "nightly",
  }, async () => {
    const document = await upload("desk.txt", "The desk is 70 cm high.");
    const [message] = tenant.sent;
    model.failAfter(0, new Error("planned crash"));
    for (const attempt of [1, 2, 3, 4]) {
      await expect(work(message, attempt)).rejects.toThrow("planned crash");
    }
    model.recover();
    await work(message, 5);
    expect(await read(document)).toMatchObject({ status: "Indexed", error: null, unendedReads: 0 });
    const next = await upload("desk.txt", "The desk is 80 cm high.");
    await die(tenant.sent.at(-1), 2);
    expect(await read(next)).toMatchObject({ unendedReads: 1 });
    await upload("desk.txt", "The desk is 90 cm high.");
    await work(tenant.sent.at(-1), 5);
    expect(await read(next)).toMatchObject({ status: "Indexed" });
  });

  test("that is replaced while it is indexed ends with the newest file", async () => {
    const document = await upload("desk.txt", "The desk is 70 cm high.");
    const [message] = tenant.sent.splice(0);
    await indexUpload(
      {
        ...indexingDeps(tenant, model.provider),
        extract: async (tenantId, file) => {
          await upload("desk.txt", "The desk is 80 cm high.");
          return extract(tenantId, file);
        },
      },
      { message: IndexDocumentMessage.parse(message), attempt: { attempt: 1, signal } },
    );
    await workAll();
    const newest = await read(document);
    expect(newest).toMatchObject({ status: "Indexed", version: newest?.upload?.id });
    expect(await vectors()).toHaveLength(1);
  });

  test("that is deleted leaves nothing", async () => {
    const document = await upload("desk.txt", "The desk is 70 cm high.");
    const kept = await upload("lamp.txt", "The lamp is on the desk.");
    await workAll();
    const { documentId } = document;
    const remove = () =>
      deleteDocument(tenant.deps, { tenantId: tenant.ctx.tenant.id, assetId: "docs", documentId });
    await remove();
    await expect(remove()).rejects.toMatchObject({ slug: "not-found" });
    expect(await read(document)).toBeUndefined();
    expect(await asset()).toMatchObject({ status: "Ready", documentCount: 1 });
    expect((await vectors()).every(({ key }) => key.includes(kept.documentId))).toBe(true);
    const objects = [...tenant.deps.objects.all.keys()];
    expect(objects.every((key) => key.includes(kept.documentId))).toBe(true);
  });

  test("is found by nothing after a deletion that ended early, and a queue removes what is left", async () => {
    const document = await upload("desk.txt", "The desk is 70 cm high.");
    await workAll();
    const place = { tenantId: tenant.ctx.tenant.id, indexId: (await asset()).indexId };
    const { documentId } = document;
    const crash = async () => Promise.reject(new Error("planned crash"));
    const vectorsDown = { ...tenant.deps.vectors, remove: crash };
    const input = { tenantId: place.tenantId, assetId: "docs", documentId };
    await expect(deleteDocument({ ...tenant.deps, vectors: vectorsDown }, input)).rejects.toThrow(
      "planned crash",
    );
    expect(await read(document)).toBeUndefined();
    expect(await asset()).toMatchObject({ documentCount: 0 });
    expect((await listDocuments(db, place, { size: 10, skip: 0 })).items).toEqual([]);
    expect(await Array.fromAsync(listAllDocuments(db, place.tenantId, place.indexId))).toEqual([]);
    expect(await vectors()).toHaveLength(1);

    const message = RemoveDocumentMessage.parse(tenant.sent.pop());
    const deps = { ...tenant.deps, clock: tenant.ctx.clock, until: Number.MAX_SAFE_INTEGER };
    await purge(message, deps);
    await purge(message, deps);
    expect(await vectors()).toEqual([]);
    expect([...tenant.deps.objects.all.keys()]).toEqual([]);
    const stored = listStoredDocuments(db, place.tenantId, place.indexId);
    expect(await Array.fromAsync(stored)).toEqual([]);
    await upload("desk.txt", "The desk is 80 cm high.");
    await workAll();
    await purge(message, deps);
    expect(await read(document)).toMatchObject({ status: "Indexed" });
    expect(await vectors()).toHaveLength(1);
  });

  test("that is being indexed when it is deleted is not counted, and leaves nothing", async () => {
    const document = await upload("desk.txt", "The desk is 70 cm high.");
    const [message] = tenant.sent.splice(0);
    const { documentId } = document;
    const tenantId = tenant.ctx.tenant.id;
    const put = tenant.deps.vectors.put;
    tenant.deps.vectors.put = async (...of) => {
      await put(...of);
      await deleteDocument(tenant.deps, { tenantId, assetId: "docs", documentId });
    };
    await work(message);
    expect(await read(document)).toBeUndefined();
    expect(await asset()).toMatchObject({ documentCount: 0 });
    expect(await vectors()).toEqual([]);
    expect([...tenant.deps.objects.all.keys()]).toEqual([]);
  });

  describe("of more than a request may have", () => {
    const text = "The desk is 70 cm high.";
    const objects = () => [...tenant.deps.objects.all.keys()];
    const start = () =>
      createUpload(tenant.deps, { ctx: tenant.ctx, assetId: "docs", size: text.length });
    const put = async (id: string, body: Uint8Array) => {
      const { indexId } = await asset();
      const key = startedObject({ tenantId: tenant.ctx.tenant.id, indexId }, id);
      await tenant.deps.objects.put(key, body);
    };
    const complete = (uploadId: string) =>
      completeUpload(tenant.deps, {
        ctx: tenant.ctx,
        assetId: "docs",
        uploadId,
        name: "desk.txt",
        contentType: "",
      });

    test("is uploaded to a URL, and completed once, however often that is requested", async () => {
      await upload("desk.txt", "The desk is red.");
      const { id, uploadUrl } = await start();
      expect(uploadUrl).toContain(`size=${text.length}`);
      await put(id, Buffer.from(text));
      const [document] = await Promise.all([complete(id), complete(id)]);
      expect(document).toMatchObject({ name: "desk.txt", status: "Pending" });
      expect(await complete(id)).toMatchObject({ upload: { id, size: text.length } });
      await workAll();
      expect(await read(document)).toMatchObject({ status: "Indexed", error: null });
      expect(await asset()).toMatchObject({ status: "Ready", documentCount: 1 });
      expect(objects().filter((key) => key.includes("uploads/"))).toEqual([
        expect.stringContaining(`/uploads/${id}`),
      ]);
    });

    test("is refused before it is uploaded, and when it is too large, which leaves nothing", {
      tags: "nightly",
    }, async () => {
      const { id } = await start();
      await expect(complete(id)).rejects.toMatchObject({ slug: "conflict" });
      await put(id, new Uint8Array(fileLimits.uploadedBytes + 1));
      await expect(complete(id)).rejects.toMatchObject({ slug: "payload-too-large" });
      expect(objects()).toEqual([]);
    });

    test.each(["completed", "sent at once"])(
      "and %s while its asset is deleted leaves nothing",
      { tags: "nightly" },
      async (way) => {
        const { id } = await start();
        await put(id, Buffer.from(text));
        const { indexId } = await asset();
        const tenantId = tenant.ctx.tenant.id;
        const { copy, put: store } = { ...tenant.deps.uploads, ...tenant.deps.objects };
        const remove = async () => {
          await deleteAsset(tenant.deps, { tenantId, assetId: "docs" });
          const message = PurgeAssetMessage.parse(tenant.sent.pop());
          const until = Number.MAX_SAFE_INTEGER;
          await purge(message, { ...tenant.deps, clock: tenant.ctx.clock, until });
        };
        tenant.deps.uploads.copy = async (...of) => {
          const isCopied = await copy(...of);
          await remove();
          return isCopied;
        };
        tenant.deps.objects.put = async (...of) => store(...of).then(remove);
        const work = way === "completed" ? complete(id) : upload("desk.txt", text);
        await expect(work).rejects.toMatchObject({ slug: "not-found" });
        expect(objects()).toEqual([]);
        expect(await Array.fromAsync(listAllDocuments(db, tenantId, indexId))).toEqual([]);
      },
    );
  });
});
