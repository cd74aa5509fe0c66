import { beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { AssetDocument, AssetDocumentPage } from "../../lib/knowledge/document/schemas.ts";
import { newOrganization } from "../harness/api.ts";
import { sampleDocx, samplePdf } from "../harness/sample-files.ts";

describe("documents of an asset", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  beforeAll(async () => {
    own = await newOrganization();
    await own.send("POST", "/assets", { id: "docs", displayName: "Docs", type: "upload" });
  });

  const upload = async (name: string, raw: string | Uint8Array, contentType: string) => {
    const query = new URLSearchParams({ name });
    const headers = { "Content-Type": contentType };
    const answer = await own.try("POST", `/assets/docs/documents?${query}`, { raw, headers });
    expect(answer.status, answer.text).toBe(201);
    return AssetDocument.parse(answer.body);
  };
  const list = async () =>
    AssetDocumentPage.parse((await own.send("GET", "/assets/docs/documents")).body).items;

  test("uploaded files are indexed, those that cannot be read fail by name, and deleted ones are gone", async () => {
    const uploaded = [
      await upload("returns.md", "# Returns\n\nWithin 30 days.", "text/markdown"),
      await upload("terms.pdf", samplePdf(["Terms of delivery."]), "application/pdf"),
      await upload("care.docx", sampleDocx("Care", "Clean it."), "application/octet-stream"),
      await upload("scan.pdf", samplePdf([""]), "application/pdf"),
    ];
    expect(uploaded.map(({ status }) => status)).toEqual(uploaded.map(() => "Pending"));
    const documents = await vi.waitFor(
      async () => {
        const found = await list();
        expect(found.map(({ status }) => status)).not.toContain("Pending");
        return found;
      },
      { timeout: 20_000, interval: 300 },
    );
    const byName = Object.fromEntries(documents.map((each) => [each.name, each]));
    expect(byName).toMatchObject({
      "returns.md": { status: "Indexed", chunkCount: 1, contentType: "text/markdown", size: 26 },
      "terms.pdf": { status: "Indexed", chunkCount: 1, error: null },
      "care.docx": { status: "Indexed", chunkCount: 1, error: null },
      "scan.pdf": { status: "Failed", chunkCount: 0, error: expect.stringContaining("scanned") },
    });
    const asset = z.looseObject({}).parse((await own.send("GET", "/assets/docs")).body);
    expect(asset).toMatchObject({ status: "Ready", vectorized: true, documentCount: 3 });
    expect(asset.embeddedTokens).toBeGreaterThan(0);
    for (const { id } of documents) {
      expect((await own.try("DELETE", `/assets/docs/documents/${id}`)).status).toBe(204);
    }
    expect(await list()).toEqual([]);
    expect((await own.send("GET", "/assets/docs")).body).toMatchObject({ documentCount: 0 });
  });

  test("only assets of type upload take files", async () => {
    const source = { type: "github", parameters: { repository: "acme/docs" } };
    await own.send("POST", "/assets", { id: "code", displayName: "Code", ...source });
    const answer = await own.try("POST", "/assets/code/documents?name=a.txt", { raw: "a" });
    expect(answer.status, answer.text).toBe(409);
  });
});
