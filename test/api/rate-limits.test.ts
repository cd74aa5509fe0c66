import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { addressRateKey } from "../../lib/platform/auth/keys.ts";
import { deleteItem } from "../../lib/platform/db/write-item.ts";
import { connectToTable } from "../harness/connect-table.ts";
import { startLocalStack, type TestStack } from "../harness/local-stack.ts";

const startLimited = (windowSeconds: number) =>
  startLocalStack({
    settings: {
      RATE_LIMIT_REQUESTS: "12",
      RATE_LIMIT_UNAUTHENTICATED_REQUESTS: "4",
      RATE_LIMIT_WINDOW_SECONDS: String(windowSeconds),
    },
  });

test("a user over the limit gets 429 until the window ends", async () => {
  const stack = await startLimited(2);
  onTestFinished(stack.close);
  const token = await stack.token({ org: "local", role: "admin", user: "busy@example.com" });
  const call = async () => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${stack.baseUrl}/v1/tenants/demo/apiKeys/scopes`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const atOnce = () => Promise.all(Array.from({ length: 30 }, call));
  await expect.poll(atOnce).toContain(429);
  await expect.poll(call).toBe(200);
});

// A window that does not end while the tests run.
describe("rate limits", () => {
  let stack: TestStack;

  beforeAll(async () => {
    stack = await startLimited(86_400);
  });

  beforeEach(async () => {
    await deleteItem(connectToTable(stack), { Key: addressRateKey("127.0.0.1") });
  });

  afterAll(async () => {
    await stack.close();
  });

  const statuses = async (count: number, headers: Record<string, string>) => {
    const answers = [];
    for (let call = 0; call < count; call += 1) {
      const response = await fetch(`${stack.baseUrl}/v1/tenants/demo/apiKeys/scopes`, { headers });
      answers.push({
        status: response.status,
        headers: response.headers,
        body: await response.json(),
      });
    }
    return answers;
  };
  test("a user over the limit gets 429 with Retry-After; others do not", async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "busy@example.com" });
    const answers = await statuses(14, { Authorization: `Bearer ${token}` });
    expect(answers.map(({ status }) => status)).toEqual([...Array(12).fill(200), 429, 429]);
    expect(answers.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual([
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
    const [refused] = answers.slice(-1);
    expect(refused?.headers.get("retry-after")).toMatch(/^\d{1,5}$/);
    expect(refused?.headers.get("x-ratelimit-limit")).toBe("12");
    expect(refused?.body).toMatchObject({ type: "/problems/rate-limit-exceeded", status: 429 });
    const other = await stack.token({ org: "local", role: "admin", user: "calm@example.com" });
    expect((await statuses(1, { Authorization: `Bearer ${other}` }))[0]?.status).toBe(200);
  });

  test("failing calls of one address turn from 401 to 429, while good credentials still pass", async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "good@example.com" });
    const failing = await statuses(6, { "X-API-KEY": "wharf_live_nonsense" });
    expect(failing.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429, 429]);
    expect(failing[0]?.headers.get("x-ratelimit-limit")).toBe("4");
    expect((await statuses(1, { Authorization: `Bearer ${token}` }))[0]?.status).toBe(200);
  });

  /** Sends the calls one after another and returns their statuses. */
  const statusesOf = async (calls: readonly [method: string, path: string, headers?: object][]) => {
    const answered = [];
    for (const [method, path, headers] of calls) {
      const init = { method, headers: { ...headers }, ...(method === "POST" && { body: "a&" }) };
      answered.push((await fetch(stack.baseUrl + path, init)).status);
    }
    return answered;
  };
  const unknown = "0193f0a0-7c4b-7000-8000-000000000002";

  test.each([
    ["webhooks", `/v1/tenants/demo/webhooks/github/${unknown}`],
    ["webhooks with a key", `/v1/tenants/demo/webhooks/github/${unknown}/wharf_live_nonsense`],
    ["providers", `/v1/tenants/demo/webhooks/nobody/${unknown}`],
    ["connectors", `/v1/tenants/demo/connectors/slack/${unknown}/wharf_live_nonsense`],
    ["tenants at inbound addresses", `/v1/tenants/nobody/webhooks/github/${unknown}`],
  ])("unknown %s are counted against the address that tries them", async (_, path) => {
    const answered = await statusesOf(Array.from({ length: 5 }, () => ["POST", path]));
    expect(answered.slice(0, 4)).not.toContain(429);
    expect(answered[4]).toBe(429);
  });

  test("unknown tenants are counted against the address that tries them, whoever calls", async () => {
    const token = await stack.token({ org: "local", role: "admin", user: "lost@example.com" });
    const headers = { Authorization: `Bearer ${token}` };
    const answered = await statusesOf(
      Array.from({ length: 5 }, () => ["GET", "/v1/tenants/nobody/agents", headers]),
    );
    expect(answered).toEqual([404, 404, 404, 404, 429]);
    expect(await statusesOf([["GET", "/v1/tenants/demo/agents", headers]])).toEqual([200]);
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
    const answered = await statusesOf(
      Array.from({ length: 5 }, () => ["GET", `/v1/tenants/demo/webhooks/meta/${id}?${check}`]),
    );
    expect(answered).toEqual([403, 403, 403, 403, 429]);
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
        .looseObject({ id: z.string().default(""), key: z.string().default("") })
        .parse(JSON.parse(text));
    };
    return { token, send };
  };
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
  const remainingOf = ({ headers }: { headers: Headers }) => headers.get("x-ratelimit-remaining");

  test("six secrets of one key, five of them in their grace, share one window", async () => {
    const secrets = await secretsOfOneKey(["agents:read"], 5);
    const answers = [];
    for (const secret of [...secrets, ...secrets, ...secrets.slice(0, 2)]) {
      answers.push(...(await statuses(1, { "X-API-KEY": secret })));
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array(12).fill(200), 429, 429]);
    expect(answers.map(remainingOf)).toEqual(
      answers.map((_, nth) => String(Math.max(0, 11 - nth))),
    );
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

    const callsOf = (name: string, count: number) =>
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
        const within = await post([...callsOf("current_time", 12), ping], headers);
        expect([within.status, remainingOf(within)]).toEqual([200, "0"]);
        expect(within.body).toHaveLength(13);
      },
    );

    test("over the limit is refused with 429, and none of its calls runs", async () => {
      const headers = await credentials.key();
      const over = await post(callsOf("batched", 13), headers);
      expect([over.status, remainingOf(over)]).toEqual([429, "0"]);
      expect(over.headers.get("retry-after")).toMatch(/^\d{1,5}$/);
      expect(over.body).toMatchObject({ type: "/problems/rate-limit-exceeded", status: 429 });
      const { send } = await asNewAdmin();
      expect(await send("GET", "/agents/batched/execution-records")).toMatchObject({ items: [] });
    });

    test("without a tools/call is one request", async () => {
      const headers = await credentials.key();
      const pings = [1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
      const answer = await post(pings, headers);
      expect([answer.status, remainingOf(answer)]).toEqual([200, "11"]);
    });
  });
});
