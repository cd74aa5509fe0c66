import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { call, newOrganization } from "../harness/api.ts";
import { type McpBehaviour, type McpServer, startMcpServer } from "../harness/mcp-server.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Exposed = z.object({ id: z.string(), mcpKey: z.object({ key: z.string() }) });
const Answer = z.object({ result: z.looseObject({}) });

let own: Organization;
beforeAll(async () => {
  own = await newOrganization();
});

const expose = async (body: object) => {
  const created = await own.send("POST", "/integration-configs", { exposeMcp: true, ...body });
  const { id, mcpKey } = Exposed.parse(created.body);
  await own.send("POST", `/integration-configs/${id}:publish`);
  return { id, key: mcpKey.key, path: `${own.base}/mcp/${id}` };
};
const ask = async (
  { path, key }: { path: string; key: string },
  method: string,
  params: object = {},
) => {
  const { body } = await call("POST", path, {
    key,
    body: { jsonrpc: "2.0", id: 1, method, params },
  });
  return body;
};

describe("the tools of a remote MCP server", () => {
  let server: McpServer;
  afterEach(() => server.close());
  const start = async (behaviour: McpBehaviour = {}) => {
    const inputSchema = {
      type: "object" as const,
      properties: { n: { type: "integer" as const } },
    };
    server = await startMcpServer({ tools: [{ name: "echo", inputSchema }], ...behaviour });
    return expose({
      integrationId: "mcp",
      parameters: { url: server.url },
      auth: { parameters: { token: "very-secret" } },
    });
  };

  test("are offered by the config's server, which calls them with the config's credentials", async () => {
    const config = await start();
    const listed = Answer.parse(await ask(config, "tools/list"));
    expect(listed.result).toMatchObject({
      tools: [{ name: "echo", inputSchema: { properties: { n: { type: "integer" } } } }],
    });
    const called = await ask(config, "tools/call", { name: "echo", arguments: { n: 7 } });
    expect(called).toMatchObject({ result: { content: [{ type: "text", text: 'echo {"n":7}' }] } });
    const tokens = new Set(server.requests.map(({ headers }) => headers.authorization));
    expect([...tokens]).toEqual(["Bearer very-secret"]);
  });

  test.each<[string, McpBehaviour["fault"], string]>([
    ["refuses", () => ({ status: 401, body: "very-secret" }), "status 401"],
    ["fails", () => ({ status: 500, body: "very-secret" }), "status 500"],
    [
      "leads elsewhere",
      () => ({ status: 302, headers: { Location: "http://169.254.169.254/latest" } }),
      "redirects",
    ],
  ])("are reported as missing when the server %s", async (_, fault, detail) => {
    const config = await start({ fault });
    const reply = await ask(config, "tools/list");
    expect(reply).toMatchObject({
      error: { code: -32603, message: expect.stringContaining(detail) },
    });
    expect(JSON.stringify(reply)).not.toContain("very-secret");
  });

  test("that fail, or take too long, fail in the result", { tags: "nightly" }, async () => {
    const config = await start({
      call: () => ({ content: [{ type: "text", text: "no such file" }], isError: true }),
    });
    const failed = await ask(config, "tools/call", { name: "echo", arguments: {} });
    expect(failed).toMatchObject({
      result: { isError: true, content: [{ text: "no such file" }] },
    });
    await server.close();
    const hanging = await start({
      fault: ({ rpc }) => (rpc === "tools/call" ? { hang: true } : undefined),
    });
    const late = await ask(hanging, "tools/call", { name: "echo", arguments: {} });
    expect(late).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("in time") }] },
    });
  });
});

test("one config's server is a remote server to another config", async () => {
  const remote = await expose({ integrationId: "system", parameters: { tools: ["calculate"] } });
  const config = await expose({
    integrationId: "mcp",
    parameters: { url: inject("stack").baseUrl + remote.path, headerName: "X-API-KEY" },
    auth: { parameters: { headerValue: remote.key } },
  });
  const values = { expression: "6 * 7" };
  const called = await ask(config, "tools/call", { name: "calculate", arguments: values });
  expect(called).toMatchObject({ result: { content: [{ type: "text", text: "42" }] } });
});
