import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization, stack } from "../harness/api.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Issued = z.looseObject({ id: z.string(), key: z.string() });
const Page = z.object({
  items: z.array(z.looseObject({ id: z.string() })),
  nextPageToken: z.string().nullable(),
});

describe("API keys over HTTP", () => {
  let own: Organization;

  beforeAll(async () => {
    own = await newOrganization();
  });

  const mint = async (body: object = {}) =>
    Issued.parse(
      (await own.send("POST", "/apiKeys:generate", { name: "k", scopes: ["agents:read"], ...body }))
        .body,
    );
  const statusWith = async (key: string) =>
    (await call("GET", `${own.base}/apiKeys/current`, { key })).status;

  test("are minted, listed, changed, rotated and revoked, and their history records it all", async () => {
    const { id, key } = await mint({ name: "🔑 Zoë" });
    expect(await statusWith(key)).toBe(200);
    const list = await own.send("GET", "/apiKeys");
    expect(list.text).not.toContain(key);
    expect(Page.parse(list.body).items.find((item) => item.id === id)).toMatchObject({
      name: "🔑 Zoë",
      scopes: ["agents:read"],
      prefix: "wharf",
      last4: key.slice(-4),
      status: "Active",
      createdBy: { type: "User" },
      lastUsedAt: expect.any(Number),
    });
    const patched = await own.send("PATCH", `/apiKeys/${id}`, { scopes: ["tools:read"] });
    expect(patched.body).toMatchObject({ name: "🔑 Zoë", scopes: ["tools:read"] });
    const rotated = Issued.parse((await own.try("POST", `/apiKeys/${id}:rotate`)).body);
    expect(rotated).toMatchObject({ id, scopes: ["tools:read"] });
    expect([await statusWith(key), await statusWith(rotated.key)]).toEqual([401, 200]);
    expect((await own.send("DELETE", `/apiKeys/${id}`)).status).toBe(204);
    expect((await own.send("DELETE", `/apiKeys/${id}`)).status).toBe(204);
    expect(await statusWith(rotated.key)).toBe(401);
    const listed = async (query: string) =>
      Page.parse((await own.send("GET", `/apiKeys${query}`)).body).items.some(
        (item) => item.id === id,
      );
    expect([
      await listed(""),
      await listed("?includeRevoked=true"),
      await listed("?includeRevoked=false"),
    ]).toEqual([false, true, false]);
    const history = await own.send("GET", `/apiKeys/${id}/auditEvents`);
    const types = z
      .looseObject({ items: z.array(z.looseObject({ type: z.string() })) })
      .parse(history.body)
      .items.map((event) => event.type);
    expect(types).toEqual(["Revoked", "Rotated", "ScopesChanged", "Issued"]);
    expect(history.text).not.toContain(key);
    for (const attempt of [
      own.try("POST", `/apiKeys/${id}:rotate`),
      own.try("PATCH", `/apiKeys/${id}`, { body: { name: "x" } }),
    ]) {
      expect(expectProblem(await attempt).slug).toBe("conflict");
    }
  });

  test("rotated concurrently: one wins, and only its secret is valid", async () => {
    const { id, key } = await mint();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => own.try("POST", `/apiKeys/${id}:rotate`)),
    );
    const won = responses.filter((response) => response.status === 200);
    expect(responses.map((response) => response.status).toSorted()).toEqual([
      200, 409, 409, 409, 409,
    ]);
    expect(await statusWith(key)).toBe(401);
    expect(await statusWith(Issued.parse(won[0]?.body).key)).toBe(200);
  });

  test("a key may rotate and revoke itself", async () => {
    const { id, key } = await mint({ scopes: ["keys:write"] });
    const rotated = Issued.parse(
      (await call("POST", `${own.base}/apiKeys/${id}:rotate`, { key, raw: "" })).body,
    );
    const revoked = await call("DELETE", `${own.base}/apiKeys/${id}`, { key: rotated.key });
    expect(revoked.status).toBe(204);
    expect(await statusWith(rotated.key)).toBe(401);
  });

  test("of another organization do not exist", async () => {
    const { id } = await mint();
    const other = await newOrganization();
    for (const attempt of [
      other.try("POST", `/apiKeys/${id}:rotate`),
      other.try("PATCH", `/apiKeys/${id}`, { body: { name: "x" } }),
      other.try("DELETE", `/apiKeys/${id}`),
      other.try("GET", `/apiKeys/${id}/auditEvents`),
    ]) {
      expect((await attempt).status).toBe(404);
    }
    expect((await other.send("GET", "/apiKeys")).text).not.toContain(id);
  });

  test("that expire mint, rotate and patch no key to a later expiry, nor to none", {
    tags: "nightly",
  }, async () => {
    const day = 24 * 3_600_000;
    const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
    const scopes = ["keys:write", "agents:read", "integrations:write", "mcp:invoke"];
    const expiresAt = inDays(1);
    const caller = await mint({ scopes, expiresAt });
    const later = await mint();
    const sooner = await mint({ expiresAt: inDays(0.5) });
    const exposed = z.object({ id: z.string() }).parse(
      (
        await own.send("POST", "/integration-configs", {
          integrationId: "system",
          exposeMcp: true,
        })
      ).body,
    );
    const send = (method: string, path: string, body?: unknown) =>
      own.try(method, path, { token: undefined, key: caller.key, body });
    const fresh = { name: "k", scopes: ["agents:read"] };
    const refused: [string, string, unknown?][] = [
      ["POST", "/apiKeys:generate", fresh],
      ["POST", "/apiKeys:generate", { ...fresh, expiresAt: null }],
      ["POST", "/apiKeys:generate", { ...fresh, expiresAt: inDays(2) }],
      ["PATCH", `/apiKeys/${caller.id}`, { expiresAt: null }],
      ["PATCH", `/apiKeys/${caller.id}`, { expiresAt: inDays(2) }],
      ["PATCH", `/apiKeys/${sooner.id}`, { expiresAt: inDays(2) }],
      ["PATCH", `/apiKeys/${later.id}`, { expiresAt: inDays(2) }],
      ["PATCH", `/apiKeys/${later.id}`, { scopes: ["agents:read", "keys:write"] }],
      ["POST", `/apiKeys/${caller.id}:rotate`, { expiresAt: null }],
      ["POST", `/apiKeys/${caller.id}:rotate`, { expiresAt: inDays(2) }],
      ["POST", `/apiKeys/${later.id}:rotate`],
      ["POST", "/integration-configs", { integrationId: "system", exposeMcp: true }],
      ["POST", `/integration-configs/${exposed.id}:rotate-mcp-key`],
    ];
    for (const [method, path, body] of refused) {
      const response = await send(method, path, body);
      expect(expectProblem(response), `${method} ${path} ${JSON.stringify(body)}`).toMatchObject({
        slug: "scope-escalation",
        expiresAt,
      });
    }
    const allowed: [string, string, unknown?][] = [
      ["POST", "/apiKeys:generate", { ...fresh, expiresAt }],
      ["PATCH", `/apiKeys/${later.id}`, { name: "Renamed" }],
      ["PATCH", `/apiKeys/${sooner.id}`, { expiresAt: inDays(0.75) }],
      ["POST", `/apiKeys/${sooner.id}:rotate`],
      ["POST", `/apiKeys/${later.id}:rotate`, { expiresAt }],
      ["POST", `/apiKeys/${caller.id}:rotate`],
    ];
    for (const [method, path, body] of allowed) {
      const response = await send(method, path, body);
      expect(response.status, `${method} ${path} ${response.text}`).toBeLessThan(300);
    }
  });

  test("that expired get credentials-expired", async () => {
    const { key } = await mint({ expiresAt: new Date(Date.now() + 1_500).toISOString() });
    await expect.poll(() => statusWith(key), { timeout: 5_000 }).toBe(401);
    const response = await call("GET", `${own.base}/apiKeys/current`, { key });
    expect(expectProblem(response).slug).toBe("credentials-expired");
  });

  test.each([
    [{}],
    [{ name: "" }],
    [{ name: null }],
    [{ scopes: [] }],
    [{ scopes: "agents:read" }],
    [{ scopes: ["agents:fly"] }],
    [{ expiresAt: "tomorrow" }],
    [{ expiresAt: "2001-01-01T00:00:00Z" }],
    [{ expiresAt: 7 }],
  ])("a change to %j is refused", async (body) => {
    const { id } = await mint();
    expect(expectProblem(await own.try("PATCH", `/apiKeys/${id}`, { body })).slug).toBe(
      "validation-failed",
    );
  });

  test.each([
    [{ graceSeconds: -1 }],
    [{ graceSeconds: 604_801 }],
    [{ graceSeconds: 1.5 }],
    [{ graceSeconds: "1" }],
    [[]],
  ])("a rotation with %j is refused", async (body) => {
    const { id } = await mint();
    expect(expectProblem(await own.try("POST", `/apiKeys/${id}:rotate`, { body })).slug).toBe(
      "validation-failed",
    );
  });
});

describe("hostile credentials", () => {
  let own: Organization;

  beforeAll(async () => {
    own = await newOrganization();
  });

  const attempt = (headers: Record<string, string>) =>
    call("GET", `${own.base}/agents`, { headers });

  test("in the wrong place, of the wrong scheme, empty, or huge are refused, never served", async () => {
    const key = await own.mintKey(["agents:read"]);
    const token = await stack().token({ org: own.org, role: "admin" });
    const attempts: Record<string, string>[] = [
      { Authorization: `Bearer ${key}` },
      { Authorization: key },
      { Authorization: `ApiKey ${key}` },
      { Authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` },
      { "X-API-KEY": token },
      { "X-API-KEY": `Bearer ${key}` },
      { "X-API-KEY": key.toUpperCase() },
      { "X-API-KEY": "" },
      { Authorization: "Bearer" },
      { Authorization: "Bearer ", "X-Other": "x" },
      { Authorization: `Bearer ${"a".repeat(6_000)}` },
      { Cookie: `X-API-KEY=${key}` },
    ];
    for (const headers of attempts) {
      expect((await attempt(headers)).status, JSON.stringify(headers).slice(0, 60)).toBe(401);
    }
    expect((await call("GET", `${own.base}/agents?X-API-KEY=${key}`)).status).toBe(401);
    expect((await attempt({ "x-ApI-kEy": key })).status).toBe(200);
    expect((await attempt({ AUTHORIZATION: `bearer ${token}` })).status).toBe(200);
  });

  test("of a user with an expired or unsigned token, or one for another audience, are refused", async () => {
    const expired = await stack().token({ org: own.org, role: "admin", ttl: -10 });
    expect(expectProblem(await attempt({ Authorization: `Bearer ${expired}` })).slug).toBe(
      "credentials-expired",
    );
    const token = await stack().token({ org: own.org, role: "admin" });
    const [, payload] = token.split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const forged of [
      `${none}.${payload}.`,
      `${none}.${payload}.${token.split(".")[2]}`,
      `${token.slice(0, -8)}AAAAAAAA`,
    ]) {
      expect((await attempt({ Authorization: `Bearer ${forged}` })).status).toBe(401);
    }
  });

  test("a role has its preset's scopes and no more", async () => {
    const runner = await stack().token({ org: own.org, role: "runner" });
    expect(expectProblem(await attempt({ Authorization: `Bearer ${runner}` }))).toMatchObject({
      slug: "insufficient-scope",
      requiredScope: "agents:read",
    });
    const reader = await stack().token({ org: own.org, role: "read-only" });
    expect((await attempt({ Authorization: `Bearer ${reader}` })).status).toBe(200);
    const created = await call("POST", `${own.base}/agents`, {
      token: reader,
      body: { displayName: "x" },
    });
    expect(expectProblem(created).slug).toBe("insufficient-scope");
  });
});
