import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import * as z from "zod";
import { call, stack } from "../harness/api.ts";

const publicUrl = "https://agents.example.com/api";
const Made = z.looseObject({ id: z.string(), webhookUrl: z.string() });
const Document = z.looseObject({ servers: z.array(z.object({ url: z.string() })) });
const ProblemBody = z.looseObject({ type: z.string() });

const tenants = "/v1/tenants/demo";

/** Sends a request as a new user, who has few. */
const send = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => {
  const token = await stack().token({ org: "local", role: "admin", user: randomUUID() });
  return call(method, path, { token, body, headers });
};

test("every address begins with PUBLIC_URL, whatever address the caller used", {
  tags: "nightly",
}, async () => {
  const webhook = await send("POST", `${tenants}/webhooks`, { provider: "generic" });
  expect(Made.parse(webhook.body).webhookUrl).toMatch(
    /^https:\/\/agents\.example\.com\/api\/v1\/tenants\//,
  );
  const document = await send("GET", "/v1/openapi.json");
  expect(Document.parse(document.body).servers).toEqual([{ url: publicUrl }]);
  const preference = { prefer: "respond-async" };
  const body = { input: { name: "Ada" } };
  const accepted = await send("POST", `${tenants}/agents/hello:execute`, body, preference);
  const location = accepted.headers.get("location") ?? "";
  expect(location).toMatch(/^https:\/\/agents\.example\.com\/api\/v1\/tenants\//);
  const record = await send("GET", location.slice(publicUrl.length));
  expect(record.status).toBe(200);
  const unknown = await send("GET", "/v1/tenants/demo/nothing");
  expect(ProblemBody.parse(unknown.body).type).toBe("/api/problems/not-found");
});

const estimate = (baseUrl: string) => ({
  type: "github",
  parameters: { repository: "acme/app", baseUrl },
});
const jira = { baseUrl: "https://169.254.169.254", jql: "x", token: "t", email: null };
const connector = (replyUrl: string) => ({ provider: "generic", parameters: { replyUrl } });
const destination = (url: string) => ({ url, eventTypes: ["agent.execution.failed"] });

test.each([
  [
    "an estimate",
    "agents/hello/assets:estimate",
    estimate("https://127.0.0.1:1"),
    "/parameters/baseUrl",
  ],
  [
    "an estimate over http",
    "agents/hello/assets:estimate",
    estimate("http://127.0.0.1:1"),
    "/parameters/baseUrl",
  ],
  ["an estimate of a Jira", "agents/hello/assets:jira-estimate", jira, "/baseUrl"],
  [
    "a connector",
    "agents/hello/connectors",
    connector("https://169.254.169.254/"),
    "/parameters/replyUrl",
  ],
  [
    "a connector over http",
    "agents/hello/connectors",
    connector("http://chat.example.com/"),
    "/parameters/replyUrl",
  ],
  ["an event destination", "event-destinations", destination("https://10.0.0.1/x"), "/url"],
  [
    "an event destination on this machine",
    "event-destinations",
    destination("https://[::1]/x"),
    "/url",
  ],
  [
    "an event destination over http",
    "event-destinations",
    destination("http://events.example.com"),
    "/url",
  ],
  [
    "an event destination of instance metadata",
    "event-destinations",
    destination("https://169.254.169.254/latest"),
    "/url",
  ],
])("%s with a private address is refused with its pointer", async (_, path, body, pointer) => {
  const refused = await send("POST", `${tenants}/${path}`, body);
  expect(refused.status).toBe(400);
  expect(ProblemBody.parse(refused.body).errors).toEqual([expect.objectContaining({ pointer })]);
});

const openapi = (parameters: object) => ({ integrationId: "openapi", parameters });
const described = (url: string) =>
  JSON.stringify({ openapi: "3.1.0", servers: [{ url }], paths: {} });

test.each<[string, object, string]>([
  ["a base URL", openapi({ document: "{}", baseUrl: "https://10.0.0.8" }), "baseUrl"],
  ["a local base URL", openapi({ document: "{}", baseUrl: "http://localhost:3000" }), "baseUrl"],
  ["a document's URL", openapi({ documentUrl: "https://127.0.0.1/openapi.json" }), "documentUrl"],
  ["a document's server", openapi({ document: described("https://192.168.1.4/v1") }), "document"],
  [
    "a server of a document in YAML",
    openapi({
      document: "openapi: 3.1.0\nservers:\n  - url: http://localhost:3000\npaths: {}\n",
    }),
    "document",
  ],
  ["an A2A agent", { integrationId: "a2a", parameters: { url: "https://10.0.0.8/agent" } }, "url"],
  ["an MCP server", { integrationId: "mcp", parameters: { url: "https://10.0.0.8/mcp" } }, "url"],
  [
    "an installation",
    { integrationId: "github", parameters: { baseUrl: "https://10.0.0.8" } },
    "baseUrl",
  ],
])(
  "an integration config with a private address as %s is refused, naming the setting",
  async (_, body, name) => {
    const refused = await send("POST", `${tenants}/integration-configs`, body);
    expect(ProblemBody.parse(refused.body).errors).toEqual([
      {
        pointer: `/parameters/${name}`,
        detail: expect.stringContaining("ALLOW_PRIVATE_ADDRESSES"),
      },
    ]);
  },
);

test("a tool that calls a private address is rejected, alone and in an agent, naming the setting", async () => {
  const url = "https://169.254.169.254/latest/meta-data";
  const run = await send("POST", `${tenants}/integrations/system/tools/http_get:run`, {
    parameters: { url },
  });
  expect(run.status).toBe(422);
  const step = { type: "Tool", integrationId: "system", toolId: "http_get", parameters: { url } };
  await send("POST", `${tenants}/agents`, { id: "nosy", displayName: "Nosy" });
  await send("POST", `${tenants}/agents/nosy/revisions`, {
    flow: { steps: [{ id: "get", ...step }], edges: [] },
  });
  await send("POST", `${tenants}/agents/nosy/revisions/1:deploy`);
  const executed = await send("POST", `${tenants}/agents/nosy:execute`, {});
  expect(executed.status).toBe(422);
  expect(ProblemBody.parse(executed.body)).toMatchObject({
    type: "/api/problems/execution-failed",
    step: "get",
    detail: expect.stringContaining("ALLOW_PRIVATE_ADDRESSES"),
  });
});
