import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";
import { listen } from "../harness/listen.ts";

const StoredFile = z.object({ id: z.string() });
const Content = z.array(z.looseObject({ uri: z.string().optional() }));
const readLinks = (content: unknown): string[] =>
  Content.parse(content).flatMap(({ uri }) => uri ?? []);

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Exposed = z.object({ id: z.string(), mcpKey: z.object({ id: z.string(), key: z.string() }) });

/** A published config that exposes MCP, with its key. */
const expose = async (own: Organization, body: object = {}) => {
  const created = await own.send("POST", "/integration-configs", {
    integrationId: "system",
    exposeMcp: true,
    ...body,
  });
  const { id, mcpKey } = Exposed.parse(created.body);
  await own.send("POST", `/integration-configs/${id}:publish`);
  return { id, key: mcpKey.key, path: `${own.base}/mcp/${id}` };
};

const greeter = {
  parametersMetadata: [
    { name: "name", type: "String", required: true, description: "Whom to greet." },
    { name: "times", type: "Integer", integerRange: { min: 1, max: 3 } },
  ],
  flow: {
    steps: [{ id: "out", type: "Output", value: { greeting: "Hello, {% input.name %}!" } }],
    edges: [],
  },
};
const failing = {
  flow: {
    steps: [
      {
        id: "sum",
        type: "Tool",
        integrationId: "system",
        toolId: "calculate",
        parameters: { expression: "1 +" },
      },
    ],
    edges: [],
  },
};
const place = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const locator = {
  parametersMetadata: [{ name: "city", type: "String", required: true }],
  flow: {
    steps: [
      {
        id: "find",
        type: "Prompt",
        llm: { providerId: "echo", parameters: { model: "echo" } },
        prompt: '{% $string({"city": input.city}) %}',
        outputSchema: place,
      },
    ],
    edges: [],
  },
};
const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.alloc(64),
]);
/** Returns the files that it was sent. */
const viewer = {
  parametersMetadata: [
    { name: "photo", type: "File", accept: ["image/*"] },
    { name: "more", type: "File", multiple: true },
  ],
  flow: {
    steps: [
      { id: "out", type: "Output", value: "{% {'photo': input.photo, 'more': input.more} %}" },
    ],
    edges: [],
  },
};
/** An agent that ends after this time. */
const lasting = (backoffSeconds: number) => ({
  flow: {
    steps: [
      {
        id: "wait",
        type: "Transform",
        value: "{% $error('not yet') %}",
        retry: { maxAttempts: 2, backoffSeconds, on: ["execution-failed"] },
      },
    ],
    edges: [],
  },
});

let own: Organization;
let config: Awaited<ReturnType<typeof expose>>;
const clients: Client[] = [];

beforeAll(async () => {
  own = await newOrganization();
  await own.deployAgent("greeter", greeter);
  await own.deployAgent("failing", failing);
  await own.deployAgent("slow", lasting(60));
  await own.deployAgent("steady", lasting(32));
  await own.deployAgent("locator", locator, "Finder of places");
  await own.deployAgent("calculate", greeter);
  await own.deployAgent("viewer", viewer);
  await own.send("POST", "/agents", { id: "undeployed", displayName: "x" });
  await own.send("POST", "/agents", { id: "deleted", displayName: "x" });
  const agents = ["greeter", "failing", "slow", "locator", "calculate", "undeployed", "deleted"];
  config = await expose(own, { parameters: { agents } });
  await own.send("DELETE", "/agents/deleted");
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const connect = async (mode: "auto" | "legacy", path = config.path, key = config.key) => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  clients.push(client);
  const transport = new StreamableHTTPClientTransport(new URL(inject("stack").baseUrl + path), {
    requestInit: { headers: { "X-API-KEY": key } },
  });
  await client.connect(transport);
  return client;
};
const post = (body: unknown, options: Parameters<typeof call>[2] = {}) =>
  call("POST", config.path, { key: config.key, body, ...options });
const rpc = (method: string, params: object = {}, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

describe.each(["auto", "legacy"] as const)("an MCP client (%s)", (mode) => {
  test("lists the tools of the config and the agents that it names", async () => {
    const client = await connect(mode);
    expect(client.getProtocolEra()).toBe(mode === "auto" ? "modern" : "legacy");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "greeter",
      "failing",
      "slow",
      "locator",
      "calculate",
      "current_time",
      "calculate_2",
      "json_query",
      "http_get",
      "http_request",
    ]);
    expect(tools.find(({ name }) => name === "locator")?.title).toBe("Finder of places");
    expect(tools.find(({ name }) => name === "calculate_2")).toMatchObject({
      title: "Calculate",
      annotations: { readOnlyHint: true },
      inputSchema: { type: "object", required: ["expression"] },
    });
    expect(tools.find(({ name }) => name === "greeter")?.inputSchema).toEqual({
      type: "object",
      properties: {
        name: { type: "string", description: "Whom to greet." },
        times: { type: "integer", minimum: 1, maximum: 3 },
      },
      required: ["name"],
      additionalProperties: false,
    });
  });

  test("calls a tool of the config; values become strings", async () => {
    const client = await connect(mode);
    const sum = { name: "calculate_2", arguments: { expression: "6 * 7" } };
    expect(await client.callTool(sum)).toMatchObject({ content: [{ type: "text", text: "42" }] });
    const query = { name: "json_query", arguments: { json: { a: { b: 1 } }, query: "a" } };
    expect(await client.callTool(query)).toMatchObject({
      content: [{ type: "text", text: '{"b":1}' }],
      structuredContent: { b: 1 },
    });
  });

  test("calls an agent; the execution is recorded as started by the key", async () => {
    const client = await connect(mode);
    const result = await client.callTool({ name: "greeter", arguments: { name: "Ada" } });
    expect(result).toMatchObject({ structuredContent: { greeting: "Hello, Ada!" } });
    const { body } = await own.send("GET", "/agents/greeter/execution-records");
    expect(body).toMatchObject({ items: expect.arrayContaining([expect.anything()]) });
    const [record] = z.object({ items: z.array(z.looseObject({})) }).parse(body).items;
    expect(record).toMatchObject({ trigger: { type: 0 }, environmentSlug: "production" });
  });

  test("sends files as inputs, and gets links to those of the output", async () => {
    const views = await expose(own, { parameters: { agents: ["viewer"], tools: [] } });
    const key = await own.mintKey(["mcp:invoke", "agents:execute"]);
    const client = await connect(mode, views.path, key);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "viewer")?.inputSchema).toMatchObject({
      properties: {
        photo: {
          type: "object",
          properties: { fileId: {}, url: {}, base64: {}, name: {} },
          description: expect.stringContaining("image/*"),
        },
        more: { type: "array", items: { type: "object" } },
      },
    });
    const files = `${own.base}/files`;
    const stored = await call("POST", `${files}?name=stored.txt`, { key, raw: "text" });
    const { id: fileId } = z.object({ id: z.string() }).parse(stored.body);
    const server = await listen(createServer((_, response) => void response.end(png)));
    const result = await client.callTool({
      name: "viewer",
      arguments: {
        photo: { url: `${server.url}/cat.png` },
        more: [{ base64: png.toString("base64"), name: "dog.png" }, { fileId }],
      },
    });
    await server.close();
    expect(result).toMatchObject({
      structuredContent: {
        photo: { name: "cat.png", mediaType: "image/png" },
        more: [{ name: "dog.png" }, { id: fileId }],
      },
      content: [
        { type: "text" },
        { type: "resource_link", name: "cat.png", mimeType: "image/png", size: png.byteLength },
        { type: "resource_link", name: "dog.png" },
        { type: "resource_link", name: "stored.txt", mimeType: "text/plain" },
      ],
    });
    const [, link] = z.array(z.looseObject({ uri: z.string().optional() })).parse(result.content);
    const content = await fetch(link?.uri ?? "", { headers: { Authorization: `Bearer ${key}` } });
    expect(Buffer.from(await content.arrayBuffer())).toEqual(png);
    const refused = await client.callTool({
      name: "viewer",
      arguments: { photo: { base64: "SGVsbG8=" } },
    });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("/input/photo") }],
    });
  });

  test("reads the files that results of its own calls link, and no others, up to 3 MiB in all", async () => {
    const views = await expose(own, { parameters: { agents: ["viewer"], tools: [] } });
    const client = await connect(mode, views.path, views.key);
    const large = Buffer.alloc(3 * 1024 * 1024 + 1);
    const server = await listen(createServer((_, response) => void response.end(large)));
    const more = [
      { base64: Buffer.from("Grüße").toString("base64"), name: "note.txt" },
      { url: `${server.url}/large.bin` },
    ];
    const photo = { base64: png.toString("base64"), name: "cat.png" };
    const result = await client.callTool({ name: "viewer", arguments: { photo, more } });
    await server.close();
    const [cat = "", note = "", tooLarge = ""] = readLinks(result.content);
    expect((await client.readResource({ uri: cat })).contents).toEqual([
      { uri: cat, mimeType: "image/png", blob: png.toString("base64") },
    ]);
    expect((await client.readResource({ uri: note })).contents).toEqual([
      { uri: note, mimeType: "text/plain", text: "Grüße" },
    ]);
    const refusal = client.readResource({ uri: tooLarge });
    await expect(refusal).rejects.toThrow(`request ${tooLarge}?redirect=false with a credential`);
    expect(await client.listResources()).toMatchObject({ resources: [] });
    const key = await own.mintKey(["mcp:invoke", "agents:execute", "executions:read"]);
    const other = await connect(mode, views.path, key);
    const { content } = await other.callTool({ name: "viewer", arguments: { photo } });
    const [linked = ""] = readLinks(content);
    expect((await other.readResource({ uri: linked })).contents).toMatchObject([{ uri: linked }]);
    const sent = await call("POST", `${own.base}/files?name=a.txt`, { key, raw: "text" });
    const unlinked = `${cat.split("/files/")[0]}/files/${StoredFile.parse(sent.body).id}/content`;
    const elsewhere = await connect(mode, config.path, key);
    for (const [reader, uri] of [
      [other, cat],
      [other, unlinked],
      [elsewhere, linked],
      [client, "https://files.example/cat.png"],
    ] as const) {
      await expect(reader.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    }
  });

  test("gets the progress of an agent's call where it asks for it, before the result", async () => {
    const client = await connect(mode);
    const reports: { progress: number; message?: string | undefined }[] = [];
    const asked = { name: "locator", arguments: { city: "Kyiv" } };
    const result = await client.callTool(asked, { onprogress: (report) => reports.push(report) });
    expect(result).toMatchObject({ structuredContent: { city: "Kyiv" } });
    expect(reports.map(({ progress }) => progress)).toEqual(reports.map((_, at) => at + 1));
    const messages = reports.map(({ message }) => message);
    expect(messages.at(0)).toBe('Step "find" has started.');
    expect(messages.at(-1)).toBe('Step "find" has ended.');
  });

  test("finds an agent's output schema, and checks the structured content against it", {
    tags: mode === "auto" ? [] : "nightly",
  }, async () => {
    const client = await connect(mode);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "locator")?.outputSchema).toEqual(place);
    const result = await client.callTool({ name: "locator", arguments: { city: "Kyiv" } });
    expect(result).toMatchObject({ structuredContent: { city: "Kyiv" } });
  });

  test.each([
    ["an argument that is missing", "calculate_2", {}, "expression"],
    ["an argument that nobody asked for", "calculate_2", { expression: "1", x: 1 }, '"x"'],
    ["a tool that fails", "calculate_2", { expression: "1 +" }, "expression"],
    ["an agent's invalid argument", "greeter", { name: "A", times: 7 }, "/input/times"],
    ["an agent that fails", "failing", {}, "expression"],
  ])("gets %s in the result", async (_, name, values, detail) => {
    const client = await connect(mode);
    const result = await client.callTool({ name, arguments: values });
    expect(result.isError).toBe(true);
    expect(result.content).toMatchObject([{ type: "text", text: expect.stringContaining(detail) }]);
  });

  test("gets a protocol error for an unknown tool", async () => {
    const client = await connect(mode);
    for (const name of ["nope", "undeployed_2", "constructor"]) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({
        code: -32602,
      });
    }
  });
});

test.each(["auto", "legacy"] as const)(
  "the result of an agent that runs longer than API Gateway waits reaches a client (%s)",
  { tags: "nightly", timeout: 60_000 },
  async (mode) => {
    const { path, key } = await expose(own, { parameters: { agents: ["steady"] } });
    const client = await connect(mode, path, key);
    const result = await client.callTool({ name: "steady", arguments: {} });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain("not yet");
  },
);

test("an agent that takes longer continues, and the client gets its execution id", {
  tags: "nightly",
  timeout: 90_000,
}, async () => {
  const client = await connect("auto");
  const params = { name: "slow", arguments: {} };
  const [streamed, buffered] = await Promise.all([
    client.callTool(params),
    post(rpc("tools/call", params), { headers: { Accept: "application/json" } }),
  ]);
  for (const result of [streamed, buffered.body]) {
    const text = JSON.stringify(result);
    expect(text).toContain("is still running");
    const id = /execution ([0-9a-f-]{36})/.exec(text)?.[1];
    const record = await own.send("GET", `/agents/slow/execution-records/${id}`);
    expect(["Queued", "Running"]).toContain(
      z.looseObject({ status: z.string() }).parse(record.body).status,
    );
    await own.send("POST", `/agents/slow/execution-records/${id}:cancel`);
  }
});

test("a call of which the tool does not answer, or the session is busy, has a result before its client gives up", {
  tags: "nightly",
  timeout: 90_000,
}, async () => {
  const silent = await listen(createServer(() => {}));
  onTestFinished(silent.close);
  await own.deployAgent("talk", { ...lasting(60), useSession: true });
  const { path, key } = await expose(own, {
    parameters: { tools: ["http_get"], agents: ["talk"] },
  });
  const client = await connect("auto", path, key);
  const talk = () => client.callTool({ name: "talk", arguments: { sessionId: "one" } });
  const results = await Promise.all([
    client.callTool({ name: "http_get", arguments: { url: silent.url } }),
    talk(),
    talk(),
  ]);
  for (const result of results) expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(results.slice(1))).toMatch(/is still running.*is still running/);
});

test("an agent that waits for a person returns the approval, which its address shows", {
  tags: "nightly",
}, async () => {
  const steps = [{ id: "ask", type: "Approval", title: "Pay?" }];
  await own.deployAgent("asks", { flow: { steps, edges: [] } });
  const asking = await expose(own, { parameters: { agents: ["asks"] } });
  const client = await connect("auto", asking.path, asking.key);
  const { isError, structuredContent } = await client.callTool({ name: "asks", arguments: {} });
  expect(isError).toBe(true);
  const Waiting = z.object({ approvals: z.tuple([z.object({ url: z.url() })]) });
  const [{ url }] = Waiting.parse(structuredContent).approvals;
  const { body } = await own.send("GET", url.slice(url.indexOf("/approvals/")));
  expect(body).toMatchObject({ title: "Pay?", status: "Pending" });
});

describe("the endpoint", () => {
  test("responds with JSON without a session, and with every header of the API", async () => {
    const response = await post(rpc("ping"));
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("mcp-session-id")).toBeNull();
    expect(response.headers.get("x-ratelimit-limit")).not.toBeNull();
  });

  test("returns the name of its config and its capabilities", async () => {
    const desk = await expose(own, { displayName: "Billing desk" });
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const body = rpc("initialize", params);
    const started = await call("POST", desk.path, { key: desk.key, body });
    expect(started.body).toMatchObject({
      result: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: "Billing desk", title: "Billing desk" },
      },
    });
    const modern = await connect("auto", desk.path, desk.key);
    expect(modern.getProtocolEra()).toBe("modern");
    expect(modern.getServerVersion()).toMatchObject({
      name: "Billing desk",
      title: "Billing desk",
    });
  });

  test("responds to notifications with 202 and to nothing else", async () => {
    const response = await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([response.status, response.text]).toEqual([202, ""]);
  });

  test("responds to a batch message by message", async () => {
    const { body } = await post([rpc("ping"), rpc("ping", {}, 2)]);
    expect(body).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 2, result: {} },
    ]);
    const many = Array.from({ length: 21 }, (_, id) => rpc("ping", {}, id));
    expect(expectProblem(await post(many)).slug).toBe("validation-failed");
  });

  test.each([
    ["a method that there is not", rpc("nope/nope"), 200, -32601],
    ["prompts, which it has none of", rpc("prompts/list"), 200, -32601],
    ["no JSON-RPC", { hello: 1 }, 400, -32600],
    ["a method that is no string", { jsonrpc: "2.0", id: 1, method: 1 }, 400, -32600],
    ["a call without a name", rpc("tools/call", {}), 200, -32602],
    ["another one's cursor", rpc("tools/list", { cursor: "x" }), 200, -32602],
  ])("responds to %s with a JSON-RPC error", async (_, body, status, code) => {
    const response = await post(body);
    expect(response.body, response.text).toMatchObject({ jsonrpc: "2.0", error: { code } });
    expect(response.status).toBe(status);
  });

  test("refuses a protocol version that it does not speak", async () => {
    const headers = { "MCP-Protocol-Version": "1999-01-01" };
    expect((await post(rpc("tools/list"), { headers })).status).toBe(400);
  });

  test("rejects requests from pages of other sites", async () => {
    const headers = { Origin: "https://evil.example.com" };
    expect((await post(rpc("ping"), { headers })).status).toBe(403);
    const { origin } = new URL(inject("stack").baseUrl);
    expect((await post(rpc("ping"), { headers: { Origin: origin } })).status).toBe(200);
  });

  test("has no stream to open and no session to close", async () => {
    for (const method of ["GET", "DELETE"]) {
      const response = await call(method, config.path, { key: config.key });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
    }
  });

  test("refuses more than 4 MiB", async () => {
    const response = await post(rpc("tools/call", { name: "x".repeat(4 * 1_048_576) }));
    expect(response.status).toBe(413);
  });
});

describe("authorization", () => {
  const ping = rpc("ping");
  const reach = (path: string, key: string) => call("POST", path, { key, body: ping });

  test("a key with the scope may call any config; the config's own key, that one alone", async () => {
    const other = await expose(own);
    const anybody = await own.mintKey(["mcp:invoke"]);
    expect((await reach(config.path, anybody)).status).toBe(200);
    expect((await reach(other.path, anybody)).status).toBe(200);
    expect((await reach(other.path, other.key)).status).toBe(200);
    expect((await reach(other.path, config.key)).status).toBe(404);
  });

  test("no caller may call a config that is not published, does not expose MCP, or is another tenant's", async () => {
    const key = await own.mintKey(["mcp:invoke"]);
    const create = async (body: object) => {
      const created = await own.send("POST", "/integration-configs", {
        integrationId: "system",
        ...body,
      });
      return z.looseObject({ id: z.string() }).parse(created.body).id;
    };
    const unpublished = await create({ exposeMcp: true });
    const hidden = await create({});
    await own.send("POST", `/integration-configs/${hidden}:publish`);
    const stranger = await expose(await newOrganization());
    for (const id of [unpublished, hidden, stranger.id]) {
      const response = await reach(`${own.base}/mcp/${id}`, key);
      expect(expectProblem(response).slug).toBe("not-found");
    }
    expect(expectProblem(await reach(stranger.path, key)).slug).toBe("not-found");
  });

  test("no key without the scope, and no made-up one", async () => {
    const other = await own.mintKey(["agents:execute", "tools:test"]);
    expect(expectProblem(await reach(config.path, other)).slug).toBe("insufficient-scope");
    expect((await reach(config.path, "wharf_live_nonsense")).status).toBe(401);
  });

  test("the config's own key may call nothing else", async () => {
    const { base } = own;
    const run = { key: config.key, body: { input: { name: "A" } } };
    expect((await call("POST", `${base}/agents/greeter:execute`, run)).status).toBe(403);
    expect((await call("GET", `${base}/apiKeys`, { key: config.key })).status).toBe(403);
  });

  test("the key of a rotation may call immediately, and no key once MCP is disabled", {
    tags: "nightly",
  }, async () => {
    const mine = await expose(own);
    const configPath = `/integration-configs/${mine.id}`;
    const rotated = await own.send("POST", `${configPath}:rotate-mcp-key`);
    const { key } = Exposed.parse(rotated.body).mcpKey;
    expect((await reach(mine.path, mine.key)).status).toBe(401);
    expect((await reach(mine.path, key)).status).toBe(200);
    await own.send("PATCH", configPath, { exposeMcp: false });
    expect((await reach(mine.path, key)).status).toBe(401);
    const anybody = await own.mintKey(["mcp:invoke"]);
    expect((await reach(mine.path, anybody)).status).toBe(404);
  });
});

test("a config can offer some of its tools alone", async () => {
  const { path, key } = await expose(own, { parameters: { tools: ["calculate"] } });
  const client = await connect("auto", path, key);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["calculate"]);
});

test("the agents of a config are offered also while its remote server cannot be reached", async () => {
  const unreachable = "http://127.0.0.1:1/mcp";
  const parameters = { url: unreachable, agents: ["greeter"] };
  const { path, key } = await expose(own, { integrationId: "mcp", parameters });
  const client = await connect("auto", path, key);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["greeter"]);
  const greeted = await client.callTool({ name: "greeter", arguments: { name: "Ada" } });
  expect(greeted).toMatchObject({ structuredContent: { greeting: "Hello, Ada!" } });
  await expect(client.callTool({ name: "remote", arguments: {} })).rejects.toThrow("127.0.0.1:1");
});
