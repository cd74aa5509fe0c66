import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import { startToolApi } from "../../../test/harness/tool-api.ts";
import { findResponseName } from "../../values/text/file-name.ts";
import { toMessageResult } from "./a2a/task-result.ts";
import { readResult } from "./mcp/result.ts";
import { openapiIntegration } from "./openapi/index.ts";
import { createToolRegistry } from "./registry.ts";
import type { NewFile } from "./save-content.ts";

const { signal } = new AbortController();
const processor = testProcessor();
const outgoing = { allowPrivateAddresses: true };
const png = new Uint8Array([0x89, 0x50, 0xff]);

let api: Awaited<ReturnType<typeof startToolApi>>;
beforeAll(async () => {
  api = await startToolApi();
});
afterAll(() => api.close());

/** Returns a store of files, and those that it has. */
const createStore = () => {
  const saved: NewFile[] = [];
  const saveFile = async (file: NewFile) => {
    saved.push(file);
    const { name, mediaType, content } = file;
    return { id: `f${saved.length}`, name, mediaType, bytes: content.length };
  };
  return { saved, saveFile };
};

const get = async (path: string, saveFile = createStore().saveFile) => {
  const tool = createToolRegistry(outgoing).resolve("system", "http_get");
  return tool?.run({ url: api.url + path }, { clock: Date.now, signal, processor, saveFile });
};

describe("a binary body that http_get reads", () => {
  test("is a file with the name of its header", async () => {
    const { saved, saveFile } = createStore();
    const disposition = 'attachment; filename="a \\"b\\".png"';
    const headers = { "content-type": "image/png", "content-disposition": disposition };
    api.script({ body: png, headers });
    expect(await get("/x/photo", saveFile)).toMatchObject({
      status: 200,
      body: { id: "f1", name: 'a "b".png', mediaType: "image/png", bytes: 3 },
    });
    expect(saved[0]?.content).toEqual(Buffer.from(png));
  });

  test.each([
    ["/files/photo%20one.png?size=1", "photo one.png"],
    ["/", "http_get.png"],
  ])("of the address %s is a file named %s", async (path, name) => {
    api.script({ body: png, headers: { "content-type": "image/png" } });
    expect(await get(path)).toMatchObject({ body: { name } });
  });

  test.each([
    ["JSON", { body: '{"a":1}', headers: { "content-type": "application/json" } }, { a: 1 }],
    ["text", { body: "plain", headers: { "content-type": "text/plain" } }, "plain"],
    ["text of an unknown type", { body: "plain", headers: { "content-type": "x/y" } }, "plain"],
    ["SVG", { body: "<svg/>", headers: { "content-type": "image/svg+xml" } }, "<svg/>"],
  ])("is not %s", async (_name, response, body) => {
    const { saved, saveFile } = createStore();
    api.script(response);
    expect(await get("/", saveFile)).toMatchObject({ body });
    expect(saved).toEqual([]);
  });
});

test("a binary response of an OpenAPI operation is a file", async () => {
  const responses = { 200: { description: "" } };
  const document = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "x", version: "1" },
    paths: { "/report": { get: { operationId: "getReport", responses } } },
  });
  const context = { outgoing, clock: Date.now, signal, processor };
  const parameters = { document, baseUrl: api.url };
  const [tool] = await openapiIntegration.tools({ parameters, auth: {} }, context);
  const { saveFile } = createStore();
  api.script({ body: png, headers: { "content-type": "application/pdf; v=1" } });
  expect(await tool?.run({}, { clock: Date.now, signal, processor, saveFile })).toEqual({
    id: "f1",
    name: "report",
    mediaType: "application/pdf",
    bytes: 3,
  });
});

describe("parts of a result of MCP", () => {
  const read = (content: Parameters<typeof readResult>[0]["content"]) => {
    const { saveFile } = createStore();
    return readResult({ content }, { upstream: "mcp.example", toolId: "draw", saveFile });
  };

  test("that are binary are files", async () => {
    const resource = { uri: "file:///out/a.zip", blob: "AAAA", mimeType: "application/zip" };
    expect(
      await read([
        { type: "text", text: "Done" },
        { type: "image", data: "iVD/", mimeType: "image/png" },
        { type: "resource", resource },
      ]),
    ).toEqual([
      { type: "text", text: "Done" },
      { type: "image", id: "f1", name: "draw.png", mediaType: "image/png", bytes: 3 },
      {
        type: "resource",
        uri: "file:///out/a.zip",
        mimeType: "application/zip",
        id: "f2",
        name: "a.zip",
        mediaType: "application/zip",
        bytes: 3,
      },
    ]);
  });

  test("beyond 20 files keep their content", async () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    const parts = await read(Array.from({ length: 21 }, () => ({ ...image })));
    const list = Array.isArray(parts) ? parts : [];
    expect(list).toHaveLength(21);
    expect(list[19]).toHaveProperty("id");
    expect(list[20]).toEqual({ type: "image", mimeType: "image/png", base64: "AAAA" });
  });
});

test("a raw part of a message of A2A is a file", async () => {
  const { saveFile } = createStore();
  const part = { raw: "AAAA", mediaType: "image/png", filename: "map.png" };
  expect(await toMessageResult({ contextId: null, parts: [part] }, saveFile)).toMatchObject({
    output: [{ id: "f1", name: "map.png", mediaType: "image/png", bytes: 3 }],
  });
  expect(await toMessageResult({ contextId: null, parts: [part] }, undefined)).toMatchObject({
    output: [{ base64: "AAAA", filename: "map.png" }],
  });
});

test.each([
  ["attachment; filename*=UTF-8''%C3%A9t%C3%A9.pdf; filename=x.pdf", "été.pdf"],
  ["inline; filename=plain.pdf", "plain.pdf"],
  ["inline", "last.bin"],
  [undefined, "last.bin"],
])("the name of a response with the header %s is %s", (disposition, name) => {
  expect(findResponseName(disposition, "https://example.com/a/last.bin?x=1")).toBe(name);
});
