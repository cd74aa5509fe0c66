import { beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import {
  AssetDocument,
  AssetDocumentPage,
  FileUpload,
} from "../../lib/knowledge/document/schemas.ts";
import { AuditRecordPage } from "../../lib/tenancy/audit/schemas.ts";
import { call, newOrganization } from "../harness/api.ts";
import { callForEvents } from "../harness/events.ts";
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
    const response = await own.try("POST", `/assets/docs/documents?${query}`, { raw, headers });
    expect(response.status, response.text).toBe(201);
    return AssetDocument.parse(response.body);
  };
  const list = async () =>
    AssetDocumentPage.parse((await own.send("GET", "/assets/docs/documents")).body).items;

  const vectorized = async () =>
    z
      .object({ assets: z.array(z.object({ vectorized: z.boolean() })) })
      .parse((await own.send("GET", "/agents/reader/revisions/1")).body)
      .assets.map((asset) => asset.vectorized);

  /** Runs an agent that searches, and reads its citations wherever they are shown. */
  const checkCitations = async (documentId: string | undefined) => {
    const call = {
      call: { name: "search_knowledge", arguments: { query: "returns within days" } },
    };
    const steps = [
      { id: "find", type: "Retrieve", query: "returns within days", topK: 1 },
      {
        id: "ask",
        type: "Prompt",
        llm: { providerId: "echo" },
        prompt: JSON.stringify(call),
        assets: ["docs"],
      },
      { id: "end", type: "Output", value: { found: "{% $count(steps.find.output) %}" } },
    ];
    const edges = [
      { source: "find", target: "ask" },
      { source: "ask", target: "end" },
    ];
    await own.deployAgent("clerk", { assets: [{ id: "docs" }], flow: { steps, edges } });
    const returns = {
      assetId: "docs",
      documentId,
      documentName: "returns.md",
      link: null,
      text: "# Returns\n\nWithin 30 days.",
      score: 1,
    };
    const run = await own.send("POST", "/agents/clerk:execute", { input: {} });
    const { executionId, citations } = z
      .object({ executionId: z.string(), citations: z.array(z.looseObject({})) })
      .parse(run.body);
    // The model found the two others by its own search.
    expect(citations).toMatchObject([
      { stepId: "find", ...returns },
      { stepId: "ask" },
      { stepId: "ask" },
    ]);
    const record = await own.send("GET", `/agents/clerk/execution-records/${executionId}`);
    expect(record.body).toMatchObject({ citations });
    const trace = await own.send("GET", `/agents/clerk/execution-records/${executionId}/trace`);
    expect(trace.body).toMatchObject({
      spans: expect.arrayContaining([
        expect.objectContaining({ stepId: "find", citations: [returns] }),
      ]),
    });
    const path = `${own.base}/agents/clerk:execute`;
    const { events } = await callForEvents(path, { token: own.token, body: { input: {} } });
    const received = await Array.fromAsync(events);
    expect(received.at(-1)).toMatchObject({ event: "execution.completed", data: { citations } });
    const config = z.object({ id: z.string() }).parse(
      (
        await own.send("POST", "/integration-configs", {
          integrationId: "system",
          exposeMcp: true,
          parameters: { agents: ["clerk"] },
        })
      ).body,
    );
    await own.send("POST", `/integration-configs/${config.id}:publish`);
    const asked = { name: "clerk", arguments: {} };
    const response = await own.send("POST", `/mcp/${config.id}`, {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: asked,
    });
    expect(response.body).toMatchObject({ result: { _meta: { citations } } });
  };

  test("uploaded files are indexed and shown by revisions that use the asset; unreadable ones fail by name, and deleted ones are gone", {
    tags: "nightly",
  }, async () => {
    const uploaded = [
      await upload("returns.md", "# Returns\n\nWithin 30 days.", "text/markdown"),
      await upload("terms.pdf", samplePdf(["Terms of delivery."]), "application/pdf"),
      await upload("care.docx", sampleDocx("Care", "Clean it."), "application/octet-stream"),
      await upload("scan.pdf", samplePdf([""]), "application/pdf"),
    ];
    await own.send("POST", "/agents", { id: "reader", displayName: "Reader" });
    const assets = [
      { id: "docs", vectorized: false },
      { id: "other", vectorized: true, link: "https://example.com/a" },
    ];
    await own.send("POST", "/agents/reader/revisions", { assets });
    expect(uploaded.map(({ status }) => status)).toEqual(uploaded.map(() => "Pending"));
    const documents = await vi.waitFor(
      async () => {
        const found = await list();
        expect(found.map(({ status }) => status)).not.toContain("Pending");
        return found;
      },
      { timeout: 20_000, interval: 300 },
    );
    const byName = Object.fromEntries(documents.map((document) => [document.name, document]));
    expect(byName).toMatchObject({
      "returns.md": { status: "Indexed", chunkCount: 1, contentType: "text/markdown", size: 26 },
      "terms.pdf": { status: "Indexed", chunkCount: 1, error: null },
      "care.docx": { status: "Indexed", chunkCount: 1, error: null },
      "scan.pdf": { status: "Failed", chunkCount: 0, error: expect.stringContaining("scanned") },
    });
    const asset = z.looseObject({}).parse((await own.send("GET", "/assets/docs")).body);
    expect(asset).toMatchObject({ status: "Ready", vectorized: true, documentCount: 3 });
    expect(asset.embeddedTokens).toBeGreaterThan(0);
    expect(await vectorized()).toEqual([true, false]);
    await checkCitations(byName["returns.md"]?.id);
    for (const { id, name } of documents) {
      const found = await own.send("GET", `/assets/docs/documents/${id}`);
      expect(found.body).toMatchObject({ id, name });
      expect((await own.try("DELETE", `/assets/docs/documents/${id}`)).status).toBe(204);
      expect((await own.try("GET", `/assets/docs/documents/${id}`)).status).toBe(404);
    }
    expect(await list()).toEqual([]);
    expect((await own.send("GET", "/assets/docs")).body).toMatchObject({ documentCount: 0 });
  });

  test("a file of more than 4 MiB is uploaded to a URL, which accepts it for 15 minutes", {
    tags: "nightly",
  }, async () => {
    await own.send("POST", "/assets", { id: "large", displayName: "Large", type: "upload" });
    const html = `<p>The desk is 70 cm high.</p><!--${"x".repeat(12 * 1024 * 1024)}-->`;
    const upload = FileUpload.parse(
      (await own.send("POST", "/assets/large/uploads", { size: html.length })).body,
    );
    const url = new URL(upload.uploadUrl ?? "");
    expect(url.searchParams.get("X-Amz-SignedHeaders")?.split(";")).toContain("content-length");
    expect(url.searchParams.get("X-Amz-Expires")).toBe("900");
    const complete = () =>
      own.try("POST", `/assets/large/uploads/${upload.id}:complete`, {
        body: { name: "desk.html", contentType: "text/html" },
      });
    expect((await complete()).status).toBe(409);
    const put = async (to: URL, body: string, headers: Record<string, string> = {}) => {
      const init = { method: "PUT", body, headers: { ...upload.headers, ...headers } };
      const response = await fetch(to, init);
      return { status: response.status, text: await response.text() };
    };
    const changed = (change: (copy: URL) => void): URL => {
      const copy = new URL(url);
      change(copy);
      return copy;
    };
    const withPath = (pathname: string): URL =>
      changed((copy) => {
        copy.pathname = pathname;
      });
    const refused = {
      "another method": await fetch(url, { method: "GET" }),
      "another path": await put(withPath(`${url.pathname}x`), html),
      "a path above it": await put(withPath("/wharf/x"), html),
      "another size": await put(url, `${html} `),
      "another type": await put(url, html, { "Content-Type": "text/html" }),
      "a later end": await put(
        changed((copy) => copy.searchParams.set("X-Amz-Expires", "9000")),
        html,
      ),
      "another query": await put(
        changed((copy) => copy.searchParams.set("acl", "")),
        html,
      ),
      "a copy of another object": await put(url, html, { "x-amz-copy-source": "/bucket/key" }),
      "a call of another service": await put(url, html, {
        "x-amz-target": "AmazonSQS.SendMessage",
      }),
      "a longer signature": await put(new URL(`${url}zz`), html),
      "two signatures": await put(new URL(`${url}&X-Amz-Signature=${"0".repeat(64)}`), html),
      "a signature of zeros": await put(
        changed((copy) => copy.searchParams.set("X-Amz-Signature", "0".repeat(64))),
        html,
      ),
    };
    expect(Object.entries(refused).filter(([, { status }]) => status !== 403)).toEqual([]);
    expect((await complete()).status).toBe(409);
    const sent = await put(url, html);
    expect(sent.status, sent.text).toBe(200);
    const response = await complete();
    const { id } = AssetDocument.parse(response.body);
    const document = async () => (await own.send("GET", `/assets/large/documents/${id}`)).body;
    await expect
      .poll(document, { timeout: 20_000, interval: 300 })
      .toMatchObject({ status: "Indexed", chunkCount: 1, size: html.length });
  });

  test("have audit records with their id when a file is uploaded, and when it is replaced", async () => {
    const { id } = await upload("audited.txt", "one", "text/plain");
    await upload("audited.txt", "two", "text/plain");
    const list = `/v1/auditEvents?resourceType=Document&resourceId=docs/${id}`;
    const { body } = await call("GET", list, { token: own.token });
    const actions = AuditRecordPage.parse(body).items.map(({ action }) => action);
    expect(actions).toEqual(["uploadDocument", "uploadDocument"]);
  });

  test("only assets of type upload take files", async () => {
    const source = { type: "github", parameters: { repository: "acme/docs" } };
    await own.send("POST", "/assets", { id: "code", displayName: "Code", ...source });
    const response = await own.try("POST", "/assets/code/documents?name=a.txt", { raw: "a" });
    expect(response.status, response.text).toBe(409);
  });
});
