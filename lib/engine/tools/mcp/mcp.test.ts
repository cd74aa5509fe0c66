import { setTimeout } from "node:timers/promises";
import type { CallToolResult, Tool as RemoteTool } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type McpBehaviour,
  type McpFault,
  type McpServer,
  startMcpServer,
} from "../../../../test/harness/mcp-server.ts";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { ToolError } from "../tool.ts";
import { mcpIntegration } from "./index.ts";

const processor = testProcessor();

let server: McpServer;
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await server.close();
});

const clock = () => 0;
const never = new AbortController().signal;
const secret = "the-secret-token";

const start = async (behaviour: McpBehaviour) => {
  server = await startMcpServer(behaviour);
};
const list = (
  { parameters = {}, auth = {} }: { parameters?: object; auth?: Record<string, string> } = {},
  signal = never,
) =>
  mcpIntegration.tools(
    { parameters: { url: server.url, ...parameters }, auth },
    { outgoing: { allowPrivateAddresses: true }, clock, signal, processor },
  );
const call = async (name: string, given: Record<string, string> = {}, signal = never) => {
  const tool = (await list()).find(({ descriptor }) => descriptor.id === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.run(given, { clock, signal, processor });
};
const catchFailure = async (work: Promise<unknown>): Promise<unknown> => {
  const [outcome] = await Promise.allSettled([work]);
  return outcome.status === "rejected" ? outcome.reason : undefined;
};
const tool = (name: string, inputSchema: object = {}, more: object = {}): RemoteTool => ({
  name,
  inputSchema: { type: "object", ...inputSchema },
  ...more,
});

describe("a remote server's tools", () => {
  test("are listed over all pages in order, without duplicates", { tags: "nightly" }, async () => {
    const tools = ["a", "b", "c", "d", "e"].map((name) => tool(name));
    await start({ tools: [...tools, tool("a")], pages: 3 });
    expect((await list()).map(({ descriptor }) => descriptor.id)).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
    ]);
  });

  test("are refused when their list has no end", async () => {
    await start({ pages: Number.POSITIVE_INFINITY });
    const failure = await catchFailure(list());
    expect(failure).toBeInstanceOf(UpstreamError);
    expect(server.requests.length).toBeLessThan(30);
  });

  test("declare their parameters and whether they only read", async () => {
    const nested = { type: "object", properties: { a: { $ref: "#/$defs/A" } } };
    await start({
      tools: [
        tool(
          "search",
          {
            properties: {
              query: { type: "string", title: "Query", description: "What to look for." },
              limit: { type: "integer", minimum: 1, maximum: 10, default: 5 },
              score: { type: "number" },
              fuzzy: { type: "boolean" },
              order: { type: "string", enum: ["up", "down"] },
              filter: nested,
              cursor: { anyOf: [{ type: "string" }, { type: "null" }] },
            },
            required: ["query"],
            $defs: { A: { type: "number" } },
          },
          { title: "Search", description: "Finds.", annotations: { readOnlyHint: true } },
        ),
        tool("erase"),
      ],
    });
    const [search, erase] = await list();
    expect(search?.descriptor).toMatchObject({
      id: "search",
      displayName: "Search",
      description: "Finds.",
      actionType: "ReadOnly",
      parametersMetadata: [
        {
          name: "query",
          type: "String",
          required: true,
          displayName: "Query",
          description: "What to look for.",
        },
        { name: "limit", type: "Integer", integerRange: { min: 1, max: 10 }, defaultValue: "5" },
        { name: "score", type: "Float", required: false },
        { name: "fuzzy", type: "Boolean" },
        { name: "order", type: "Option", options: ["up", "down"] },
        {
          name: "filter",
          type: "Json",
          jsonSchema: JSON.stringify({ $defs: { A: { type: "number" } }, ...nested }),
        },
        { name: "cursor", type: "String" },
      ],
    });
    expect(erase?.descriptor.actionType).toBe("ReadWrite");
  });

  test("have schemas with those definitions alone that a property refers to", async () => {
    const refer = (name: string) => ({ type: "array", items: { $ref: `#/$defs/${name}` } });
    const $defs = { "a/b": refer("c"), c: { type: "number" }, d: { type: "string" } };
    await start({ tools: [tool("t", { properties: { x: refer("a~1b"), y: refer("e") }, $defs })] });
    const [{ descriptor } = { descriptor: undefined }] = await list();
    const [x, y] = descriptor?.parametersMetadata ?? [];
    const own = { $defs: { "a/b": refer("c"), c: { type: "number" } }, ...refer("a~1b") };
    expect(JSON.parse(x?.jsonSchema ?? "")).toEqual(own);
    expect(y?.jsonSchema).toBeNull();
  });

  test("have at most 4 MiB of schemas, however many properties share definitions", {
    tags: "nightly",
  }, async () => {
    const $defs = { a: { type: "object", description: "x".repeat(60_000) } };
    const shared = { anyOf: [{ $ref: "#/$defs/a" }, { type: "number" }] };
    const names = Array.from({ length: 2_000 }, (_, at) => `p${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, shared]));
    const tools = [tool("t", { properties, $defs }), tool("u", { properties, $defs })];
    await start({ tools });
    const schemas = (await list()).flatMap(({ descriptor }) =>
      descriptor.parametersMetadata.map(({ jsonSchema }) => jsonSchema),
    );
    expect(schemas).toHaveLength(4_000);
    expect(schemas[0]).toContain("xxx");
    const characters = schemas.reduce((sum, schema) => sum + (schema?.length ?? 0), 0);
    expect(characters).toBeLessThanOrEqual(4.1 * 1024 * 1024);
  });

  test("are requested with the config's credentials", async () => {
    await start({});
    await list({ auth: { token: secret } });
    await list({ parameters: { headerName: "X-API-KEY" }, auth: { headerValue: "k" } });
    const [first] = server.requests;
    expect(first?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(server.requests.at(-1)?.headers["x-api-key"]).toBe("k");
  });

  test.each([
    ["without a url", { url: undefined }, {}],
    ["with a url that is none", { url: "nowhere" }, {}],
    ["with half a header", { headerName: "X-Key" }, {}],
    ["with a credential that no header holds", {}, { token: "a\nb" }],
    ["of another scheme", { url: "ftp://example.com" }, {}],
  ])("cannot be had from a config %s", async (_, parameters, auth) => {
    await start({});
    expect(await catchFailure(list({ parameters, auth }))).toBeInstanceOf(ToolError);
    expect(server.requests).toEqual([]);
  });

  test("are not looked for at a private address, unless that is allowed", async () => {
    await start({});
    const failure = await catchFailure(
      mcpIntegration.tools(
        { parameters: { url: server.url.replace("http:", "https:") }, auth: {} },
        { outgoing: {}, clock, signal: never, processor },
      ),
    );
    expect(failure).toBeInstanceOf(ToolError);
    expect(server.requests).toEqual([]);
  });
});

describe.each([
  ["events, without a session", {}],
  ["JSON, without a session", { json: true }],
  ["events, in a session", { sessions: true }],
  ["JSON, in a session", { sessions: true, json: true }],
])("a server that responds with %s", (_, mode) => {
  test("has its tools called, and the session closed", async () => {
    await start({ ...mode, tools: [tool("echo", { properties: { a: { type: "integer" } } })] });
    expect(await call("echo", { a: "7" })).toBe('echo {"a":7}');
    const closed = server.requests.filter(({ method }) => method === "DELETE").length;
    expect(closed).toBe("sessions" in mode ? 2 : 0);
    expect(server.requests.every(({ method }) => method !== "GET")).toBe(true);
  });

  test("may take its time for a call", { tags: "nightly" }, async () => {
    await start({ ...mode, tools: [tool("slow")], call: () => setTimeout(1_500, { content: [] }) });
    expect(await call("slow")).toBe("");
  });
});

describe("a call", () => {
  const schema = {
    properties: {
      text: { type: "string" },
      count: { type: "integer" },
      on: { type: ["boolean", "null"] },
      list: { type: "array" },
      any: {},
    },
  };
  let got: unknown;
  const withResult = (result: CallToolResult) =>
    start({
      tools: [tool("it", schema)],
      call: (_, values) => {
        got = values;
        return result;
      },
    });
  const text = (value: string) => ({ type: "text" as const, text: value });

  test("sends values of the types that the server declares", async () => {
    await withResult({ content: [] });
    await call("it", { text: "12", count: "3", on: "true", list: "[1]", any: "free text" });
    expect(got).toEqual({ text: "12", count: 3, on: true, list: [1], any: "free text" });
  });

  test("has the trace context of its caller in _meta", async () => {
    let meta: unknown;
    await start({
      tools: [tool("it")],
      call: (...[, , sent]) => {
        meta = sent;
        return { content: [] };
      },
    });
    const [it] = await list();
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    await it?.run({}, { clock, signal: never, processor, traceContext: { traceparent } });
    expect(meta).toMatchObject({ traceparent });
  });

  test.each([
    ["count", "many"],
    ["count", "1.5"],
    ["on", "yes"],
    ["list", "one"],
    ["other", ""],
  ])("is not made when %s is %s", async (name, value) => {
    await withResult({ content: [] });
    expect(await catchFailure(call("it", { [name]: value }))).toBeInstanceOf(ToolError);
    expect(server.requests.some(({ rpc }) => rpc === "tools/call")).toBe(false);
  });

  test.each<[string, CallToolResult, unknown]>([
    ["several texts", { content: [text("a"), text("b")] }, "a\nb"],
    ["a JSON object as text", { content: [text('{"a": 1}')] }, { a: 1 }],
    ["a number as text", { content: [text("12")] }, "12"],
    ["nothing", { content: [] }, ""],
    ["structured content", { content: [text("x")], structuredContent: { sum: 3 } }, { sum: 3 }],
    [
      "an image among text",
      { content: [text("x"), { type: "image", data: "AAAA", mimeType: "image/png" }] },
      [
        { type: "text", text: "x" },
        { type: "image", mimeType: "image/png", base64: "AAAA" },
      ],
    ],
    [
      "resources",
      {
        content: [
          { type: "resource", resource: { uri: "a:b", text: "t" } },
          { type: "resource", resource: { uri: "a:c", blob: "AAAA", mimeType: "x/y" } },
          { type: "resource_link", uri: "a:d", name: "d" },
        ],
      },
      [
        { type: "resource", uri: "a:b", mimeType: null, text: "t" },
        { type: "resource", uri: "a:c", mimeType: "x/y", base64: "AAAA" },
        { type: "resource_link", uri: "a:d", name: "d", description: null, mimeType: null },
      ],
    ],
  ])("returns %s as JSON", async (_, result, value) => {
    await withResult(result);
    expect(await call("it")).toEqual(value);
  });

  test("of a failing tool is a ToolError with the tool's message", async () => {
    await withResult({ content: [text("no such file")], isError: true });
    const failure = await catchFailure(call("it"));
    expect(failure).toBeInstanceOf(ToolError);
    expect(failure).toMatchObject({ message: "no such file" });
  });

  test("has the whole time limit of its step", async () => {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: reply, resolve: finish } = Promise.withResolvers<CallToolResult>();
    await start({
      tools: [tool("it")],
      call: () => {
        reach();
        return reply;
      },
    });
    const [slow] = await list();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const aborter = new AbortController();
      globalThis.setTimeout(() => aborter.abort(), ms);
      return aborter.signal;
    });
    const called = catchFailure(
      slow?.run({}, { clock, signal: never, processor }) ?? Promise.reject(),
    );
    await reached;
    vi.advanceTimersByTime(899_000);
    finish({ content: [{ type: "text", text: "at last" }] });
    expect(await called).toBeUndefined();
  });

  test("ends with its step, and not before", async () => {
    await start({
      tools: [tool("it")],
      fault: ({ rpc }) => (rpc === "tools/call" ? { hang: true } : undefined),
    });
    const stop = new AbortController();
    const reason = new Error("the step is over");
    const failure = catchFailure(call("it", {}, stop.signal));
    await expect.poll(() => server.requests.some(({ rpc }) => rpc === "tools/call")).toBe(true);
    stop.abort(reason);
    expect(await failure).toBe(reason);
  });
});

describe("a server that fails", () => {
  const json = { "Content-Type": "application/json" };
  const sse = { "Content-Type": "text/event-stream" };
  const refusal = (id: unknown) =>
    JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: secret } });
  const large = JSON.stringify({ jsonrpc: "2.0", id: 0, result: { x: "x".repeat(5_000_000) } });

  test.each<[string, { status: number; headers?: Record<string, string>; body?: string }, object]>([
    ["with 401", { status: 401, body: secret }, { upstreamStatus: 401 }],
    ["with 403", { status: 403, body: secret }, { upstreamStatus: 403 }],
    ["with 500", { status: 500, body: secret }, { upstreamStatus: 500 }],
    ["with 404", { status: 404, body: secret }, { upstreamStatus: 404 }],
    ["with broken JSON", { status: 200, headers: json, body: `{"${secret}` }, {}],
    ["with JSON of another kind", { status: 200, headers: json, body: `{"x":"${secret}"}` }, {}],
    ["with broken events", { status: 200, headers: sse, body: `data: {"${secret}\n\n` }, {}],
    ["with no event", { status: 200, headers: sse, body: "" }, {}],
    ["with HTML", { status: 200, headers: { "Content-Type": "text/html" }, body: secret }, {}],
    ["with too much", { status: 200, headers: json, body: large }, {}],
    ["with too many events", { status: 200, headers: sse, body: `data: ${large}\n\n` }, {}],
    [
      "with a redirect",
      { status: 307, headers: { Location: "http://169.254.169.254/latest" } },
      { upstreamStatus: 307 },
    ],
  ])(
    "%s is an UpstreamError without the server's text",
    { tags: "nightly" },
    async (_, reply, members) => {
      await start({ fault: () => reply });
      const failure = await catchFailure(list({ auth: { token: secret } }));
      expect(failure).toBeInstanceOf(UpstreamError);
      expect(failure).toMatchObject({ upstream: new URL(server.url).host, ...members });
      expect(String(failure)).not.toContain(secret);
    },
  );

  test.each<[string, (id: unknown) => McpFault, object]>([
    ["500", () => ({ status: 500, body: secret }), { upstreamStatus: 500 }],
    ["a JSON-RPC error", (id) => ({ status: 200, headers: json, body: refusal(id) }), {}],
    ["an answer to another", () => ({ status: 200, headers: json, body: refusal(4711) }), {}],
  ])(
    "in a call with %s is an UpstreamError, too",
    { tags: "nightly" },
    async (_, reply, members) => {
      await start({
        tools: [tool("it")],
        fault: ({ rpc, id }) => (rpc === "tools/call" ? reply(id) : undefined),
      });
      const failure = await catchFailure(call("it"));
      expect(failure).toBeInstanceOf(UpstreamError);
      expect(failure).toMatchObject(members);
      expect(String(failure)).not.toContain(secret);
    },
  );

  test.each([
    ["files.read files:write", 'needs the scopes "files.read files:write"'],
    [`files.read <b>${secret}</b>`, "needs more scopes"],
    [undefined, "needs more scopes"],
  ])("for missing scopes (%s) names them if they are plain", async (scope, message) => {
    const scopes = scope === undefined ? "" : `, scope="${scope}"`;
    const challenge = `Bearer error="insufficient_scope"${scopes}`;
    await start({
      tools: [tool("it")],
      fault: ({ rpc }) =>
        rpc === "tools/call"
          ? { status: 403, headers: { "WWW-Authenticate": challenge } }
          : undefined,
    });
    const failure = await catchFailure(call("it"));
    expect(failure).toBeInstanceOf(UpstreamError);
    expect(failure).toMatchObject({ upstreamStatus: 403 });
    expect(String(failure)).toContain(message);
    expect(String(failure)).not.toContain(secret);
  });
});
