import { randomUUID } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testRuntime } from "../../test/harness/runtime.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { hashApiKey, makeApiKey } from "../platform/auth/api-key-format.ts";
import { countRefusal } from "../platform/auth/count-requests.ts";
import { findLastCalls, linkAddress } from "../platform/auth/last-call-store.ts";
import { requireWithinLimit } from "../platform/auth/rate-limit.ts";
import { countUserRequests } from "../platform/auth/store.ts";
import { unauthenticated } from "../platform/http/problems.ts";
import type { RateLimit } from "../platform/http/rate-limit.ts";
import { apiKeyKey, keyHashKey } from "../tenancy/api-key/keys.ts";
import { type AuthDeps, readCredentials } from "./read-credentials.ts";

const runtime = testRuntime();
const windowSeconds = 60;

describe("authentication", () => {
  let db: TestDatabase;
  let deps: AuthDeps;
  let reported: RateLimit | undefined;
  const address = "ada@example.com";

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(() => {
    reported = undefined;
    deps = {
      db,
      prefixes: { prefix: "wharf", earlierPrefixes: ["whf"] },
      limits: { requests: 5, unauthenticatedRequests: 3, windowSeconds },
      readToken: async (token) => {
        if (!token.startsWith("user-")) throw unauthenticated();
        return {
          type: "User",
          id: token,
          organizationId: "org",
          scopes: [],
          userIds: [token, ...(token.startsWith("user-of-") ? [address] : [])],
          email: null,
          apiKey: null,
        };
      },
    };
  });

  const storeKey = async (expiresAt: number | null = null, validUntil: number | null = null) => {
    const key = makeApiKey("wharf", runtime.randomBytes);
    const Item = {
      ...keyHashKey(hashApiKey(key)),
      keyId: randomUUID(),
      organizationId: "org",
      name: "test",
      scopes: ["agents:read"],
      expiresAt,
      validUntil,
      lastUsedAt: 0,
      rateWindow: 0,
      rateCount: 0,
      inboundWindow: 0,
      inboundCount: 0,
    };
    await db.client.send(new PutCommand({ TableName: db.table, Item }));
    const current = { ...apiKeyKey("org", Item.keyId), sha256: hashApiKey(key) };
    await db.client.send(new PutCommand({ TableName: db.table, Item: current }));
    return { key, id: Item.keyId };
  };

  const attempt = async (headers: Record<string, string | string[]>) => {
    const now = runtime.clock();
    const { principal, rateLimit } = await readCredentials(deps, {
      headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value].flat()])),
      now,
    });
    reported = rateLimit;
    if (rateLimit) requireWithinLimit(rateLimit, now);
    return principal;
  };

  test("a warm API key costs exactly one storage call, which also counts and stamps the use", async () => {
    const { key, id } = await storeKey();
    await attempt({ "x-api-key": key });
    db.calls.length = 0;
    const principal = await attempt({ "x-api-key": key });
    expect(db.calls).toEqual(["UpdateItem"]);
    expect(principal).toMatchObject({
      type: "ApiKey",
      id,
      organizationId: "org",
      scopes: ["agents:read"],
      apiKey: { lastUsedAt: runtime.clock() },
    });
    expect(reported).toMatchObject({ limit: 5, remaining: 3 });
  });

  test("starts a new window with a second storage call", async () => {
    const { key } = await storeKey();
    for (let call = 0; call < 5; call += 1) await attempt({ "x-api-key": key });
    runtime.advance(windowSeconds * 1_000);
    db.calls.length = 0;
    await attempt({ "x-api-key": key });
    expect(db.calls).toEqual(["UpdateItem", "UpdateItem"]);
    expect(reported?.remaining).toBe(4);
  });

  test("counts every concurrent request at the start of a window once", {
    tags: "nightly",
  }, async () => {
    const { key } = await storeKey();
    deps.limits.requests = 100;
    await Promise.all(Array.from({ length: 20 }, () => attempt({ "x-api-key": key })));
    await attempt({ "x-api-key": key });
    expect(reported?.remaining).toBe(100 - 21);
  });

  test("returns 429 with Retry-After to a key over its limit, until the window ends", async () => {
    const { key } = await storeKey();
    for (let call = 0; call < 5; call += 1) await attempt({ "x-api-key": key });
    await expect(attempt({ "x-api-key": key })).rejects.toMatchObject({
      slug: "rate-limit-exceeded",
      headers: { "Retry-After": expect.stringMatching(/^[1-9]\d?$/) },
    });
    expect(reported?.remaining).toBe(0);
    runtime.advance(windowSeconds * 1_000);
    await expect(attempt({ "x-api-key": key })).resolves.toMatchObject({ type: "ApiKey" });
  });

  test("counts in the current window when the instance's clock is behind", async () => {
    const { key } = await storeKey();
    await attempt({ "x-api-key": key });
    runtime.advance(-2 * windowSeconds * 1_000);
    await attempt({ "x-api-key": key });
    runtime.advance(2 * windowSeconds * 1_000);
    await attempt({ "x-api-key": key });
    expect(reported?.remaining).toBe(2);
  });

  test("refuses a mistyped key without reading it", async () => {
    const { key } = await storeKey();
    const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
    const before = (await db.scan()).filter((item) => String(item.pk).startsWith("KEYHASH"));
    await expect(attempt({ "x-api-key": mistyped })).rejects.toMatchObject({
      slug: "unauthenticated",
    });
    const after = (await db.scan()).filter((item) => String(item.pk).startsWith("KEYHASH"));
    expect(after).toEqual(before);
  });

  test("writes no item for an unknown key", async () => {
    const key = makeApiKey("wharf", runtime.randomBytes);
    await expect(attempt({ "x-api-key": key })).rejects.toMatchObject({ slug: "unauthenticated" });
    const hash = keyHashKey(hashApiKey(key)).pk;
    expect((await db.scan()).filter((item) => item.pk === hash)).toEqual([]);
  });

  test("returns credentials-expired for a key from the millisecond of its expiry", async () => {
    const { key } = await storeKey(runtime.clock() + 1);
    await expect(attempt({ "x-api-key": key })).resolves.toMatchObject({ type: "ApiKey" });
    runtime.advance(1);
    await expect(attempt({ "x-api-key": key })).rejects.toMatchObject({
      slug: "credentials-expired",
    });
  });

  test("returns unauthenticated for a rotated secret from the millisecond that its grace period ends", async () => {
    const { key } = await storeKey(null, runtime.clock() + 1);
    await expect(attempt({ "x-api-key": key })).resolves.toMatchObject({ type: "ApiKey" });
    runtime.advance(1);
    await expect(attempt({ "x-api-key": key })).rejects.toMatchObject({ slug: "unauthenticated" });
  });

  test("counts refused calls per source address, up to the limit", async () => {
    const address = randomUUID();
    const refuse = (at: string) => countRefusal(deps, { address: at, now: runtime.clock() });
    const counts = [];
    for (let call = 0; call < 4; call += 1) counts.push(await refuse(address));
    expect(counts.map((rateLimit) => rateLimit?.isExceeded)).toEqual([false, false, false, true]);
    expect(await refuse(randomUUID())).toMatchObject({ limit: 3, remaining: 2 });
  });

  test("returns ambiguous-credentials for two credentials of any kind", async () => {
    const ambiguous = { slug: "ambiguous-credentials" };
    await expect(attempt({ "x-api-key": "a", authorization: "Bearer b" })).rejects.toMatchObject(
      ambiguous,
    );
    await expect(attempt({ "x-api-key": ["a", "b"] })).rejects.toMatchObject(ambiguous);
    await expect(attempt({ authorization: ["Bearer a", "Bearer b"] })).rejects.toMatchObject(
      ambiguous,
    );
  });

  test("refuses other authorization schemes, and an API key as a bearer token", async () => {
    const { key } = await storeKey();
    await expect(attempt({ authorization: "Basic dXNlcjpwYXNz" })).rejects.toMatchObject({
      slug: "unauthenticated",
    });
    await expect(attempt({ authorization: `Bearer ${key}` })).rejects.toMatchObject({
      slug: "unauthenticated",
    });
  });

  test("admits a user when the counter cannot be written", async () => {
    db.failNext("UpdateItem");
    await expect(attempt({ authorization: "Bearer user-1" })).resolves.toMatchObject({
      type: "User",
      id: "user-1",
    });
    expect(reported).toBeUndefined();
  });

  test("admits a key when its use cannot be written, but not an unknown or expired one", async () => {
    const { key, id } = await storeKey();
    db.failNext("UpdateItem");
    await expect(attempt({ "x-api-key": key })).resolves.toMatchObject({ id });
    const unknown = makeApiKey("wharf", runtime.randomBytes);
    db.failNext("UpdateItem");
    await expect(attempt({ "x-api-key": unknown })).rejects.toMatchObject({
      slug: "unauthenticated",
    });
    const { key: expired } = await storeKey(runtime.clock());
    db.failNext("UpdateItem");
    await expect(attempt({ "x-api-key": expired })).rejects.toMatchObject({
      slug: "credentials-expired",
    });
  });

  test.each([1, 2])(
    "admits a user although storing their verified address failed; the next call stores it (write %i fails)",
    async (passing) => {
      const user = `user-of-${randomUUID()}`;
      const lastCall = async () => (await findLastCalls(db, "org", [address])).get(address);
      db.failNext("UpdateItem", passing);
      await attempt({ authorization: `Bearer ${user}` });
      expect(reported).toBeDefined();
      db.calls.length = 0;
      await attempt({ authorization: `Bearer ${user}` });
      expect(db.calls).toEqual(["UpdateItem", "UpdateItem", "UpdateItem"]);
      expect(await lastCall()).toBe(runtime.clock());
      db.calls.length = 0;
      await attempt({ authorization: `Bearer ${user}` });
      expect(db.calls).toEqual(["UpdateItem"]);
    },
  );

  test("the last call of any user of an address is found by it, of too many users that of the first", {
    tags: "nightly",
  }, async () => {
    const shared = `${randomUUID()}@example.com`;
    const users = Array.from({ length: 22 }, (_, at) => `sub-${at}-${shared}`);
    for (const userId of users) {
      const user = { organizationId: "org", userId, address: shared };
      await linkAddress(db, user);
    }
    const call = (userId: string, at: number) =>
      countUserRequests(
        db,
        { organizationId: "org", userId, address: shared },
        { now: at, windowMs: 1_000 },
        1,
      );
    const lastCall = async () => (await findLastCalls(db, "org", [shared])).get(shared);
    expect(await lastCall()).toBeUndefined();
    await call(users[1] ?? "", 5_000);
    await call(users[0] ?? "", 4_000);
    expect(await lastCall()).toBe(5_000);
    await call(users[21] ?? "", 6_000);
    expect(await lastCall()).toBe(5_000);
  });

  test("returns 429 to a user over the limit, until the window ends", async () => {
    const headers = { authorization: "Bearer user-4" };
    for (let call = 0; call < 5; call += 1) await attempt(headers);
    await expect(attempt(headers)).rejects.toMatchObject({ slug: "rate-limit-exceeded" });
    runtime.advance(windowSeconds * 1_000);
    await expect(attempt(headers)).resolves.toMatchObject({ type: "User" });
  });

  test("counts each user separately", async () => {
    for (let call = 0; call < 5; call += 1) await attempt({ authorization: "Bearer user-2" });
    await expect(attempt({ authorization: "Bearer user-2" })).rejects.toMatchObject({
      slug: "rate-limit-exceeded",
    });
    await expect(attempt({ authorization: "Bearer user-3" })).resolves.toMatchObject({
      type: "User",
    });
  });
});
