import { createHmac, randomUUID } from "node:crypto";
import OpenAI, { RateLimitError } from "openai";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { addressRateKey } from "../../lib/platform/auth/keys.ts";
import { deleteItem } from "../../lib/platform/db/write-item.ts";
import { stack as connectStack } from "../harness/api.ts";
import { connectToTable } from "../harness/connect-table.ts";

describe("rate limits", () => {
  const stack = connectStack();

  beforeEach(async () => {
    await deleteItem(connectToTable(stack), { Key: addressRateKey("127.0.0.1") });
  });

  const statuses = async (count: number, headers: Record<string, string>) => {
    const responses = [];
    for (let call = 0; call < count; call += 1) {
      const response = await fetch(`${stack.baseUrl}/v1/tenants/demo/apiKeys/scopes`, { headers });
      responses.push({
        status: response.status,
        headers: response.headers,
        body: await response.json(),
      });
    }
    return responses;
  };
  test("a user over the limit gets 429 with Retry-After; others do not", async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "busy@example.com" });
    const responses = await statuses(14, { Authorization: `Bearer ${token}` });
    expect(responses.map(({ status }) => status)).toEqual([...Array(12).fill(200), 429, 429]);
    expect(responses.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual([
      "11",
      "10",
      "9",
      "8",
      "7",
      "6",
      "5",
      "4",
      "3",
      "2",
      "1",
      "0",
      "0",
      "0",
    ]);
    const [refused] = responses.slice(-1);
    expect(refused?.headers.get("retry-after")).toMatch(/^\d{1,5}$/);
    expect(refused?.headers.get("x-ratelimit-limit")).toBe("12");
    expect(refused?.body).toMatchObject({ type: "/api/problems/rate-limit-exceeded", status: 429 });
    const other = await stack.token({ org: "local", role: "admin", user: "calm@example.com" });
    expect((await statuses(1, { Authorization: `Bearer ${other}` }))[0]?.status).toBe(200);
  });

  test("the OpenAI package gets a RateLimitError with the seconds to wait", {
    tags: "nightly",
  }, async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "models@example.com" });
    const response = await fetch(`${stack.baseUrl}/v1/tenants/demo/apiKeys:generate`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "models", preset: "Runner" }),
    });
    const { key: apiKey } = z.object({ key: z.string() }).parse(await response.json());
    const baseURL = `${stack.baseUrl}/v1/tenants/demo/openai`;
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    for (let call = 0; call < 12; call += 1) await client.models.list();
    const error = await client.models.list().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ type: "too_many_requests", code: "rate-limit-exceeded" });
    if (!(error instanceof RateLimitError)) return;
    expect(error.headers.get("retry-after")).toMatch(/^\d{1,5}$/);
  });

  test("failing calls of one address turn from 401 to 429, while good credentials still pass", async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "good@example.com" });
    const failing = await statuses(6, { "X-API-KEY": "wharf_live_nonsense" });
    expect(failing.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429, 429]);
    expect(failing[0]?.headers.get("x-ratelimit-limit")).toBe("4");
    expect((await statuses(1, { Authorization: `Bearer ${token}` }))[0]?.status).toBe(200);
  });

  /** Sends the calls one after another and returns their statuses. */
  const collectStatuses = async (
    calls: readonly [method: string, path: string, headers?: object][],
  ) => {
    const statuses = [];
    for (const [method, path, headers] of calls) {
      const init = { method, headers: { ...headers }, ...(method === "POST" && { body: "a&" }) };
      statuses.push((await fetch(stack.baseUrl + path, init)).status);
    }
    return statuses;
  };
  const unknown = "0193f0a0-7c4b-7000-8000-000000000002";

  test.each([
    ["webhooks", `/v1/tenants/demo/webhooks/github/${unknown}`],
    ["webhooks with a key", `/v1/tenants/demo/webhooks/github/${unknown}/wharf_live_nonsense`],
    ["providers", `/v1/tenants/demo/webhooks/nobody/${unknown}`],
    ["connectors", `/v1/tenants/demo/connectors/slack/${unknown}/wharf_live_nonsense`],
    ["tenants at inbound addresses", `/v1/tenants/nobody/webhooks/github/${unknown}`],
  ])(
    "unknown %s are counted against the address that tries them",
    { tags: "nightly" },
    async (_, path) => {
      const statuses = await collectStatuses(Array.from({ length: 5 }, () => ["POST", path]));
      expect(statuses.slice(0, 4)).not.toContain(429);
      expect(statuses[4]).toBe(429);
    },
  );

  test("unknown tenants are counted against the address that tries them, whoever calls", {
    tags: "nightly",
  }, async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "lost@example.com" });
    const headers = { Authorization: `Bearer ${token}` };
    const statuses = await collectStatuses(
      Array.from({ length: 5 }, () => ["GET", "/v1/tenants/nobody/agents", headers]),
    );
    expect(statuses).toEqual([404, 404, 404, 404, 429]);
    expect(await collectStatuses([["GET", "/v1/tenants/demo/agents", headers]])).toEqual([200]);
  });

  test("failed signatures of an address turn from 401 to 429, while a right one still passes", async () => {
    const { send } = await asNewAdmin();
    const { id, signingSecret } = await send("POST", "/webhooks", { provider: "github" });
    const push = (secret: string): [string, string, object] => {
      const signature = createHmac("sha256", secret).update("a&").digest("hex");
      const headers = {
        "X-GitHub-Event": "push",
        "X-GitHub-Delivery": randomUUID(),
        "X-Hub-Signature-256": `sha256=${signature}`,
      };
      return ["POST", `/v1/tenants/demo/webhooks/github/${id}`, headers];
    };
    const forged = Array.from({ length: 6 }, () => push("wrong"));
    expect(await collectStatuses(forged)).toEqual([401, 401, 401, 401, 429, 429]);
    expect(await collectStatuses([push(signingSecret ?? "")])).toEqual([204]);
  });

  test("a check of a signed address with a wrong token is counted, too", async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "owner@example.com" });
    const created = await fetch(`${stack.baseUrl}/v1/tenants/demo/webhooks`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ provider: "meta", signingSecret: "verify-me" }),
    });
    const { id } = z.looseObject({ id: z.string() }).parse(await created.json());
    const check = "hub.mode=subscribe&hub.challenge=1&hub.verify_token=wrong";
    const statuses = await collectStatuses(
      Array.from({ length: 5 }, () => ["GET", `/v1/tenants/demo/webhooks/meta/${id}?${check}`]),
    );
    expect(statuses).toEqual([403, 403, 403, 403, 429]);
  });

  /** Calls that must succeed, as an admin of whom nothing was counted. */
  const asNewAdmin = async () => {
    const user = `${randomUUID()}@example.com`;
    const token = await stack.token({ org: "local", role: "admin", user });
    const send = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${stack.baseUrl}/v1/tenants/demo${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return z
        .looseObject({
          id: z.string().default(""),
          key: z.string().default(""),
          signingSecret: z.string().nullish(),
        })
        .parse(JSON.parse(text));
    };
    return { token, send };
  };
  test.each([
    ["teams", "POST", "?validationToken=abc", ""],
    ["slack", "POST", "", '{"type":"url_verification","challenge":"abc"}'],
    ["zoom", "POST", "", '{"event":"endpoint.url_validation","payload":{"plainToken":"abc"}}'],
    ["meta", "GET", "?hub.mode=subscribe&hub.challenge=1&hub.verify_token=verify-me", ""],
  ])(
    "checks of addresses of %s are counted before their secrets are decrypted",
    { tags: "nightly" },
    async (provider, method, query, body) => {
      const { send } = await asNewAdmin();
      const ids: string[] = [];
      // The secret of a webhook is decrypted once by each instance.
      for (let nth = 0; nth < 8; nth += 1) {
        ids.push((await send("POST", "/webhooks", { provider, signingSecret: "verify-me" })).id);
      }
      await deleteItem(connectToTable(stack), { Key: addressRateKey("127.0.0.1") });
      await stack.storageCalls.reset();
      const statuses: number[] = [];
      for (const id of ids) {
        const url = `${stack.baseUrl}/v1/tenants/demo/webhooks/${provider}/${id}${query}`;
        const headers = { "Content-Type": "application/json" };
        const init = { method, headers, ...(method === "POST" && { body }) };
        const response = await fetch(url, init);
        await response.arrayBuffer();
        statuses.push(response.status);
      }
      expect(statuses.slice(0, 4)).not.toContain(429);
      expect(statuses.slice(4)).toEqual([429, 429, 429, 429]);
      const calls = Object.values(await stack.storageCalls.read());
      const decrypted = calls.reduce((sum, call) => sum + (call["kms:Decrypt"] ?? 0), 0);
      expect(decrypted).toBe(4);
    },
  );

  /** A key's secrets, oldest first, which all work. */
  const secretsOfOneKey = async (scopes: readonly string[], rotations: number) => {
    const { send } = await asNewAdmin();
    const { id, key } = await send("POST", "/apiKeys:generate", { name: "test", scopes });
    const secrets = [key];
    for (let rotation = 0; rotation < rotations; rotation += 1) {
      secrets.push((await send("POST", `/apiKeys/${id}:rotate`, { graceSeconds: 600 })).key);
    }
    return secrets;
  };
  const readRemaining = ({ headers }: { headers: Headers }) => headers.get("x-ratelimit-remaining");

  test("an organization at its limit of active keys gets 409, also for concurrent requests, until one is revoked", async () => {
    const org = `org-${randomUUID()}`;
    const call = async (user: number, method: string, path: string, body?: object) => {
      const token = await stack.token({ org, role: "admin", user: `${user}@example.com` });
      const response = await fetch(`${stack.baseUrl}/v1/tenants${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
    const slug = `t-${randomUUID().slice(0, 18)}`;
    expect((await call(0, "POST", "", { slug, displayName: "Test" })).status).toBe(201);
    const generate = (user: number) =>
      call(user, "POST", `/${slug}/apiKeys:generate`, { name: "test", preset: "Read-only" });
    const responses = await Promise.all(
      Array.from({ length: 22 }, (_, at) => generate(1 + (at % 2))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = responses.filter(({ status }) => status === 409);
    expect(refused.map(({ text }) => text)).toEqual(
      Array(2).fill(expect.stringMatching(/20 active API keys.*Revoke one/)),
    );
    const { id } = z
      .looseObject({ id: z.string() })
      .parse(JSON.parse(responses.find(({ status }) => status === 201)?.text ?? ""));
    expect((await call(0, "DELETE", `/${slug}/apiKeys/${id}`)).status).toBe(204);
    expect((await call(0, "DELETE", `/${slug}/apiKeys/${id}`)).status).toBe(204);
    expect((await generate(3)).status).toBe(201);
    expect((await generate(3)).status).toBe(409);
  });

  test("six secrets of one key, five of them in their grace, share one window", async () => {
    const secrets = await secretsOfOneKey(["agents:read"], 5);
    const responses = [];
    for (const secret of [...secrets, ...secrets, ...secrets.slice(0, 2)]) {
      responses.push(...(await statuses(1, { "X-API-KEY": secret })));
    }
    expect(responses.map(({ status }) => status)).toEqual([...Array(12).fill(200), 429, 429]);
    expect(responses.map(readRemaining)).toEqual(
      responses.map((_, nth) => String(Math.max(0, 11 - nth))),
    );
  });

  test("calls and deliveries of one key have separate windows, which a rotation keeps", {
    tags: "nightly",
  }, async () => {
    const { send } = await asNewAdmin();
    const scopes = ["agents:read", "inbound:deliver"];
    const { id, key } = await send("POST", "/apiKeys:generate", { name: "both", scopes });
    const webhook = await send("POST", "/webhooks", { provider: "generic" });
    const deliver = async (secret: string) => {
      const path = `/v1/tenants/demo/webhooks/generic/${webhook.id}/${secret}`;
      const response = await fetch(stack.baseUrl + path, { method: "POST", body: "{}" });
      return { remaining: readRemaining(response), isAccepted: response.ok };
    };
    const delivered = (remaining: number) => ({ remaining: String(remaining), isAccepted: true });
    const call = async (secret: string) =>
      (await statuses(1, { "X-API-KEY": secret })).map((response) => [
        response.status,
        readRemaining(response),
      ]);
    expect(await deliver(key)).toEqual(delivered(5_999));
    expect(await deliver(key)).toEqual(delivered(5_998));
    expect(await call(key)).toEqual([[200, "11"]]);
    expect(await call(key)).toEqual([[200, "10"]]);
    expect(await deliver(key)).toEqual(delivered(5_997));
    const rotated = await send("POST", `/apiKeys/${id}:rotate`, { graceSeconds: 600 });
    expect(await deliver(rotated.key)).toEqual(delivered(5_996));
    expect(await deliver(key)).toEqual(delivered(5_995));
    expect(await call(key)).toEqual([[200, "9"]]);
    const left = await Promise.all(Array.from({ length: 10 }, () => call(rotated.key)));
    expect(left.flat().filter(([status]) => status === 429)).toHaveLength(1);
    expect(await deliver(rotated.key)).toEqual(delivered(5_994));
  });

  describe("a batch at an MCP server", () => {
    let path: string;

    beforeAll(async () => {
      const { send } = await asNewAdmin();
      await send("POST", "/agents", { id: "batched", displayName: "Batched" });
      const flow = { steps: [{ id: "out", type: "Output", value: { done: true } }], edges: [] };
      await send("POST", "/agents/batched/revisions", { flow });
      await send("POST", "/agents/batched/revisions/1:deploy");
      const config = await send("POST", "/integration-configs", {
        integrationId: "system",
        exposeMcp: true,
        parameters: { agents: ["batched"] },
      });
      await send("POST", `/integration-configs/${config.id}:publish`);
      path = `/v1/tenants/demo/mcp/${config.id}`;
    });

    const buildCalls = (name: string, count: number) =>
      Array.from({ length: count }, (_, id) => ({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name, arguments: {} },
      }));
    const post = async (body: unknown, credentials: Record<string, string>) => {
      const response = await fetch(stack.baseUrl + path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...credentials },
        body: JSON.stringify(body),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    const scopes = ["mcp:invoke", "agents:execute"];
    const credentials = {
      key: async () => ({ "X-API-KEY": (await secretsOfOneKey(scopes, 0))[0] ?? "" }),
      "rotated key in its grace": async () => ({
        "X-API-KEY": (await secretsOfOneKey(scopes, 2))[0] ?? "",
      }),
      user: async () => ({ Authorization: `Bearer ${(await asNewAdmin()).token}` }),
    };

    test.each(["key", "rotated key in its grace", "user"] as const)(
      "counts every tools/call against the window of a %s",
      async (caller) => {
        const headers = await credentials[caller]();
        const ping = { jsonrpc: "2.0", id: "ping", method: "ping" };
        const within = await post([...buildCalls("current_time", 12), ping], headers);
        expect([within.status, readRemaining(within)]).toEqual([200, "0"]);
        expect(within.body).toHaveLength(13);
      },
    );

    test("over the limit is refused with 429, and none of its calls runs", async () => {
      const headers = await credentials.key();
      const over = await post(buildCalls("batched", 13), headers);
      expect([over.status, readRemaining(over)]).toEqual([429, "0"]);
      expect(over.headers.get("retry-after")).toMatch(/^\d{1,5}$/);
      expect(over.body).toMatchObject({ type: "/api/problems/rate-limit-exceeded", status: 429 });
      const { send } = await asNewAdmin();
      expect(await send("GET", "/agents/batched/execution-records")).toMatchObject({ items: [] });
    });

    test("without a tools/call is one request", async () => {
      const headers = await credentials.key();
      const pings = [1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
      const response = await post(pings, headers);
      expect([response.status, readRemaining(response)]).toEqual([200, "11"]);
    });
  });
});
