import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { StoredFile, UploadAddress } from "../../lib/files/schemas.ts";
import { call, expectProblem, newOrganization } from "../harness/api.ts";
import { listen } from "../harness/listen.ts";

const Trace = z.object({
  spans: z.array(z.object({ usage: z.object({ inputTokens: z.int() }) })),
});
const Ran = z.object({ executionId: z.string(), output: z.json() });
const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.alloc(64),
]);

describe("files", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let key: string;
  beforeAll(async () => {
    own = await newOrganization();
    key = await own.mintKey(["agents:execute"]);
    await own.deployAgent("reader", {
      parametersMetadata: [{ name: "photo", type: "File", accept: ["image/*"], required: true }],
      flow: { steps: [{ id: "out", type: "Output", value: "{% input.photo %}" }], edges: [] },
    });
  });

  const path = (rest: string) => `/v1/tenants/${own.slug}/files${rest}`;
  const store = async (name: string, raw: string | Uint8Array, as = key) => {
    const query = new URLSearchParams({ name });
    const response = await call("POST", path(`?${query}`), { key: as, raw });
    expect(response.status, response.text).toBe(201);
    return StoredFile.parse(response.body);
  };
  const download = async (id: string, as = key) => {
    const response = await call("GET", path(`/${id}/content`), { key: as });
    expect(response.status, response.text).toBe(302);
    return fetch(response.headers.get("location") ?? "");
  };
  const status = async (method: string, rest: string, as: string) =>
    (await call(method, path(rest), { key: as })).status;

  test("are stored, described, downloaded as they are, and deleted", async () => {
    const file = await store("Käfer <1>.png", png);
    expect(file).toMatchObject({
      name: "Käfer <1>.png",
      mediaType: "image/png",
      bytes: png.byteLength,
      sha256: createHash("sha256").update(png).digest("hex"),
    });
    expect(file.expiresAt - file.createdAt).toBe(30 * 24 * 3_600_000);
    expect((await call("GET", path(`/${file.id}`), { key })).body).toEqual(file);

    const content = await download(file.id);
    expect(Buffer.from(await content.arrayBuffer())).toEqual(png);
    expect(content.headers.get("content-type")).toBe("image/png");
    expect(content.headers.get("content-disposition")).toBe(
      `attachment; filename="K_fer <1>.png"; filename*=UTF-8''K%C3%A4fer%20%3C1%3E.png`,
    );
    const shown = await call("GET", path(`/${file.id}/content?redirect=false`), { key });
    const { url } = z.object({ url: z.url() }).parse(shown.body);
    expect((await fetch(url)).status).toBe(200);

    expect(await status("DELETE", `/${file.id}`, key)).toBe(204);
    expect(await status("GET", `/${file.id}`, key)).toBe(404);
    expect(await status("GET", `/${file.id}/content`, key)).toBe(404);
    expect((await fetch(url)).status).not.toBe(200);
  });

  test("are never shown by a browser, whatever they contain", async () => {
    const page = await store("page.html", "<script>alert(1)</script>");
    const content = await download(page.id);
    expect(content.headers.get("content-disposition")).toMatch(/^attachment;/);
  });

  test("of up to 64 MiB are sent to an address of their own", async () => {
    const content = Buffer.alloc(5 * 1024 * 1024, "x");
    const body = { name: "large.txt", mediaType: "text/plain", bytes: content.byteLength };
    const created = await call("POST", path(":upload"), { key, body });
    const { id, uploadUrl, headers } = UploadAddress.parse(created.body);
    expect(await status("GET", `/${id}`, key)).toBe(404);
    expect(expectProblem(await call("POST", path(`/${id}:complete`), { key })).slug).toBe(
      "conflict",
    );
    expect((await fetch(uploadUrl, { method: "PUT", headers, body: content })).status).toBe(200);
    const completed = await call("POST", path(`/${id}:complete`), { key });
    expect(StoredFile.parse(completed.body)).toMatchObject({
      id,
      mediaType: "text/plain",
      bytes: content.byteLength,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
    expect((await call("POST", path(`/${id}:complete`), { key })).body).toEqual(completed.body);
    expect((await (await download(id)).arrayBuffer()).byteLength).toBe(content.byteLength);
  });

  test("of more than 64 MiB, or of another size than the address is for, are refused", async () => {
    const body = { name: "a", mediaType: "text/plain", bytes: 64 * 1024 * 1024 + 1 };
    expect(expectProblem(await call("POST", path(":upload"), { key, body })).status).toBe(400);
    const small = await call("POST", path(":upload"), { key, body: { ...body, bytes: 4 } });
    const { uploadUrl, headers } = UploadAddress.parse(small.body);
    const sent = await fetch(uploadUrl, { method: "PUT", headers, body: "longer" });
    expect(sent.ok).toBe(false);
  });

  test.each([
    ["a path as its name", "name=a%2Fb", png, "validation-failed"],
    ["no name", "", png, "validation-failed"],
    ["too many days", "name=a&retentionDays=366", png, "validation-failed"],
    ["more than 4 MiB", "name=a", Buffer.alloc(4 * 1024 * 1024 + 1), "payload-too-large"],
  ])("with %s are refused", async (_, query, raw, slug) => {
    const response = await call("POST", path(`?${query}`), { key, raw });
    expect(expectProblem(response).slug).toBe(slug);
  });

  test("a repeated request with an Idempotency-Key stores one file", async () => {
    const headers = { "Idempotency-Key": "one" };
    const send = () => call("POST", path("?name=a.png"), { key, raw: png, headers });
    expect((await send()).body).toEqual((await send()).body);
  });

  test("of a run are read by those who read its record, and by no others", async () => {
    const file = await store("cat.png", png);
    const [reader, stranger] = await Promise.all([
      own.mintKey(["executions:read"]),
      own.mintKey(["agents:execute"]),
    ]);
    expect(await status("GET", `/${file.id}`, reader)).toBe(404);
    const run = await call("POST", `/v1/tenants/${own.slug}/agents/reader:execute`, {
      key,
      body: { input: { photo: { fileId: file.id } } },
    });
    const { id, name, mediaType, bytes } = file;
    expect(run.body).toMatchObject({ output: { id, name, mediaType, bytes } });
    expect(await status("GET", `/${file.id}`, reader)).toBe(200);
    expect((await download(file.id, reader)).status).toBe(200);
    expect(await status("GET", `/${file.id}`, stranger)).toBe(404);
    expect(await status("DELETE", `/${file.id}`, reader)).toBe(403);
    const other = await newOrganization();
    const elsewhere = await call("GET", `/v1/tenants/${other.slug}/files/${file.id}`, {
      token: other.token,
    });
    expect(elsewhere.status).toBe(404);
  });

  test("of others are refused as inputs, with the pointer of the input", async () => {
    const file = await store("cat.png", png, await own.mintKey(["agents:execute"]));
    const run = await call("POST", `/v1/tenants/${own.slug}/agents/reader:execute`, {
      key,
      body: { input: { photo: { fileId: file.id } } },
    });
    expect(expectProblem(run)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "/input/photo" }],
    });
  });

  describe("of a Prompt", () => {
    const prompt = {
      id: "read",
      type: "Prompt",
      llm: { providerId: "echo" },
      prompt: "Read this.",
      files: ["{% input.photo %}"],
    };
    const deploy = (id: string, flow: object, more: object = {}) =>
      own.deployAgent(id, {
        parametersMetadata: [{ name: "photo", type: "File", multiple: true }],
        flow,
        ...more,
      });
    const run = async (agentId: string, body: object) => {
      const response = await call("POST", `/v1/tenants/${own.slug}/agents/${agentId}:execute`, {
        key,
        body,
      });
      expect(response.status, response.text).toBe(200);
      return Ran.parse(response.body);
    };

    test("reach the model, and no trace has their content", async () => {
      await deploy("viewer", { steps: [prompt], edges: [] });
      const note = Buffer.from("Seven apples.").toString("base64");
      const photo = [
        { fileId: (await store("cat.png", png)).id },
        { base64: note, name: "note.txt" },
      ];
      const { executionId, output } = await run("viewer", { input: { photo } });
      expect(output).toContain(`[cat.png image/png ${png.byteLength} bytes]`);
      expect(output).toContain("Seven apples.");
      const trace = await own.send("GET", `/agents/viewer/execution-records/${executionId}/trace`);
      expect(trace.text).toContain("note.txt");
      expect(trace.text).not.toContain(png.toString("base64"));
      expect(trace.text).not.toContain(note);
    });

    test("that an expression names without being a file of the execution are refused", async () => {
      const { id } = await store("cat.png", png);
      const files = [`{% {"id": "${id}"} %}`];
      await deploy("guesser", { steps: [{ ...prompt, files }], edges: [] });
      const response = await call("POST", `/v1/tenants/${own.slug}/agents/guesser:execute`, {
        key,
        body: {},
      });
      expect(expectProblem(response).detail).toContain("is not a file of this execution");
    });

    test("of an earlier turn of the session reach the model again", async () => {
      await deploy("host", { steps: [prompt], edges: [] }, { useSession: true });
      const photo = [{ base64: png.toString("base64"), name: "cat.png" }];
      const first = await run("host", { input: { photo }, session: { id: "s" } });
      expect(first.output).toContain("cat.png");
      const second = await run("host", { input: { photo: [] }, session: { id: "s" } });
      const spans = await own.send(
        "GET",
        `/agents/host/execution-records/${second.executionId}/trace`,
      );
      // The prompts and the response of two turns are 15 tokens; the rest are those of the file's line.
      const { spans: read } = Trace.parse(spans.body);
      expect(read[0]?.usage.inputTokens).toBeGreaterThan(15);
      const messages = await own.send("GET", "/agents/host/sessions/s/messages");
      expect(messages.text).not.toContain(png.toString("base64"));
      const file = { id: expect.any(String), name: "cat.png", mediaType: "image/png" };
      expect(messages.body).toMatchObject({
        items: [{ files: [{ ...file, bytes: png.length }] }, { files: [] }, {}, {}],
      });
    });

    test("that a tool fetched are stored and reach the model", async () => {
      const server = await listen(
        createServer((_, response) => {
          response.writeHead(200, { "Content-Type": "image/png" });
          response.end(png);
        }),
      );
      const steps = [
        {
          id: "fetch",
          type: "Tool",
          integrationId: "system",
          toolId: "http_get",
          parameters: { url: `${server.url}/cat.png` },
        },
        { ...prompt, files: ["{% steps.fetch.output.body %}"] },
      ];
      await own.deployAgent("fetcher", {
        flow: { steps, edges: [{ source: "fetch", target: "read" }] },
      });
      const { executionId, output } = await run("fetcher", {});
      expect(output).toContain(`[cat.png image/png ${png.byteLength} bytes]`);
      const reader = await own.mintKey(["executions:read"]);
      const trace = await own.send("GET", `/agents/fetcher/execution-records/${executionId}/trace`);
      const [, id = ""] = /"id": *"([0-9a-f-]{36})", *"name": *"cat.png"/.exec(trace.text) ?? [];
      expect(Buffer.from(await (await download(id, reader)).arrayBuffer())).toEqual(png);

      const tool = await own.send("POST", "/integrations/system/tools/http_get:run", {
        parameters: { url: `${server.url}/cat.png` },
      });
      const { fileLink } = z.object({ fileLink: z.url() }).parse(tool.body);
      const shown = await call("GET", new URL(fileLink).pathname, { token: own.token });
      expect(shown.status).toBe(302);
      await server.close();
    });
  });
});
