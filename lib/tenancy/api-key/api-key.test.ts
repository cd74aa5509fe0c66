import { createHash, randomUUID } from "node:crypto";
import { BatchWriteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { isNightly } from "../../../test/harness/runs.ts";
import { testRuntime } from "../../../test/harness/runtime.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { type AuthDeps, readCredentials } from "../../edge/read-credentials.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { presets } from "../../platform/auth/scopes.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listed } from "../../platform/db/keys.ts";
import { unauthenticated } from "../../platform/http/problems.ts";
import { maxActiveKeys } from "../../platform/runtime/env.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { generateApiKey } from "./generate-api-key.ts";
import { importApiKey } from "./import-api-key.ts";
import { findLastUses } from "./key-hash-store.ts";
import { apiKeyKey, keyCountKey, liveKeyKey } from "./keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import { RotateApiKeyBody, type UpdateApiKeyBody } from "./schemas.ts";
import { getApiKey, listApiKeys, listAuditEventsNewestFirst, listLiveApiKeys } from "./store.ts";
import { updateApiKey } from "./update-api-key.ts";

const all = { size: 200, skip: 0 };

describe("the life cycle of an API key", () => {
  let db: TestDatabase;
  let org: string;
  let runtime: ReturnType<typeof testRuntime>;
  let auth: AuthDeps;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(() => {
    org = `org-${randomUUID()}`;
    runtime = testRuntime();
    auth = {
      db,
      prefixes: { prefix: "wharf", earlierPrefixes: ["whf"] },
      limits: { requests: 1_000, unauthenticatedRequests: 1_000, windowSeconds: 60 },
      readToken: async () => {
        throw unauthenticated();
      },
    };
  });

  const admin = (scopes: readonly string[] = presets.Admin): Principal => ({
    type: "User",
    id: "admin",
    organizationId: org,
    scopes,
    userIds: ["admin"],
    email: "admin@example.com",
    apiKey: null,
  });
  const ctx = (principal = admin()) => ({
    ...runtime,
    principal,
    requestId: "request",
    startedAt: runtime.clock(),
    deadline: 0,
    respondBy: 0,
    baseUrl: "http://localhost",
    basePath: "",
    linkBase: "",
    consoleUrl: "https://wharf.example/console/",
    method: "POST",
    path: "/path",
    sourceIp: "127.0.0.1",
    userAgent: null,
    traceContext: undefined,
  });
  const deps = () => ({ db, prefix: "wharf", send: async () => undefined });
  const mint = (input: object = {}, principal = admin()) =>
    generateApiKey(deps(), {
      ctx: ctx(principal),
      body: { name: "test", scopes: ["agents:read"], ...input },
    });
  const rotate = (keyId: string, body: object = {}, principal = admin()) =>
    rotateApiKey(deps(), {
      ctx: ctx(principal),
      keyId,
      body: RotateApiKeyBody.parse(body),
    }).finally(() => runtime.advance(1));
  const update = (keyId: string, body: UpdateApiKeyBody, principal = admin()) =>
    updateApiKey(deps(), { ctx: ctx(principal), keyId, body });
  const revoke = (keyId: string) => revokeApiKey(deps(), { ctx: ctx(), keyId });
  const use = (key: string) =>
    readCredentials(auth, { headers: new Map([["x-api-key", [key]]]), now: runtime.clock() });
  const works = (key: string) =>
    use(key).then(
      () => true,
      () => false,
    );
  const history = async (keyId: string) => (await listAuditEventsNewestFirst(db, keyId, all)).items;
  /** The stored items of the organization and the key, in a comparable order. */
  const state = async (keyId: string) =>
    (await db.scan())
      .filter((item) => [org, keyId].some((id) => JSON.stringify(item).includes(id)))
      .map((item) => JSON.stringify(item, Object.keys(item).sort()))
      .sort();

  test("a key with an earlier prefix is imported by its hash, works, and rotates to the current prefix", async () => {
    const old = `whf_live_${randomUUID().replaceAll("-", "")}`;
    const sha256 = createHash("sha256").update(old).digest("hex");
    const foreign = {
      organizationId: org,
      name: "old",
      scopes: ["agents:read"],
      prefix: "whf",
      sha256,
    };
    const { id } = await importApiKey(db, runtime, foreign);
    expect(await works(old)).toBe(true);
    expect((await importApiKey(db, runtime, foreign)).outcome).toBe("taken");
    const { key, item } = await rotate(id);
    expect(item.prefix).toBe("wharf");
    expect([await works(old), await works(key)]).toEqual([false, true]);
  });

  describe("rotation", () => {
    test("replaces the secret immediately; name, scopes and expiry stay unless they are sent", async () => {
      const expiresAt = new Date(runtime.clock() + 60_000).toISOString();
      const { key: old, item } = await mint({ expiresAt });
      const { key, item: rotated } = await rotate(item.id);
      expect([await works(old), await works(key)]).toEqual([false, true]);
      expect(rotated).toMatchObject({
        id: item.id,
        name: "test",
        scopes: item.scopes,
        expiresAt: item.expiresAt,
      });
      const changed = await rotate(item.id, {
        name: "new",
        scopes: ["tools:read"],
        expiresAt: null,
      });
      expect(changed.item).toMatchObject({ name: "new", scopes: ["tools:read"], expiresAt: null });
    });

    test("with a grace period keeps the old secret valid for that time, with the new scopes", async () => {
      const { key: old, item } = await mint();
      const { key } = await rotate(item.id, { graceSeconds: 10, scopes: ["tools:read"] });
      expect((await use(old)).principal.scopes).toEqual(["tools:read"]);
      runtime.advance(9_998);
      expect([await works(old), await works(key)]).toEqual([true, true]);
      runtime.advance(1);
      expect([await works(old), await works(key)]).toEqual([false, true]);
    });

    test("shares one rate-limit window between its secrets, with one storage call for the current one", async () => {
      const { key: first, item } = await mint();
      const secrets = [first];
      for (let round = 0; round < 5; round += 1) {
        secrets.push((await rotate(item.id, { graceSeconds: 1_000 })).key);
      }
      const windows = [];
      for (const secret of secrets) windows.push((await use(secret)).rateLimit?.remaining);
      const { limit } = (await use(first)).rateLimit ?? { limit: 0 };
      expect(windows).toEqual(secrets.map((_, nth) => limit - 1 - nth));
      db.calls.length = 0;
      await use(secrets.at(-1) ?? "");
      expect(db.calls).toEqual(["UpdateItem"]);
      await use(first);
      expect(db.calls).toEqual(["UpdateItem", "UpdateItem", "GetItem", "UpdateItem"]);
    });

    test("without a grace period ends all earlier grace periods", async () => {
      const { key: first, item } = await mint();
      const { key: second } = await rotate(item.id, { graceSeconds: 1_000 });
      const { key: third } = await rotate(item.id);
      expect([await works(first), await works(second), await works(third)]).toEqual([
        false,
        false,
        true,
      ]);
    });

    test("keeps a bounded number of earlier secrets", async () => {
      const { key: first, item } = await mint();
      for (let round = 0; round < 6; round += 1) await rotate(item.id, { graceSeconds: 1_000 });
      expect(await works(first)).toBe(false);
      expect((await getApiKey(db, org, item.id))?.previousSecrets).toHaveLength(5);
    });

    test("by concurrent callers succeeds once, returns 409 to the others, and leaves one valid secret", async () => {
      const { key: old, item } = await mint();
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => rotate(item.id)));
      const won = results.flatMap((result) =>
        result.status === "fulfilled" ? [result.value.key] : [],
      );
      const lost = results.flatMap((result) =>
        result.status === "rejected" ? [result.reason] : [],
      );
      expect(won).toHaveLength(1);
      expect(lost.every((reason) => reason.slug === "conflict")).toBe(true);
      expect([await works(old), await works(won[0] ?? "")]).toEqual([false, true]);
      const hashes = (await db.scan()).filter(
        (stored) => stored.keyId === item.id && String(stored.pk).startsWith("KEYHASH#"),
      );
      expect(hashes).toHaveLength(1);
      expect(await history(item.id)).toHaveLength(2);
    });

    test("that fails at any of its writes changes nothing", { tags: "nightly" }, async () => {
      const { key, item } = await mint();
      await rotate(item.id, { graceSeconds: 1_000 });
      const before = await state(item.id);
      for (let write = 0; write < 5; write += 1) {
        db.spoilNext(write);
        await expect(rotate(item.id)).rejects.toMatchObject({ slug: "conflict" });
        expect(await state(item.id)).toEqual(before);
      }
      expect(await works(key)).toBe(true);
    });

    test("does not reset the rate-limit window", async () => {
      auth.limits.requests = 3;
      const { key: old, item } = await mint();
      for (let call = 0; call < 3; call += 1) await use(old);
      const { key } = await rotate(item.id);
      expect((await use(key)).rateLimit).toMatchObject({ remaining: 0, isExceeded: true });
    });

    test("of an expired key succeeds, and leaves it expired unless a new expiry is sent", async () => {
      const { item } = await mint({ expiresAt: new Date(runtime.clock() + 1).toISOString() });
      runtime.advance(1);
      const { key } = await rotate(item.id);
      await expect(use(key)).rejects.toMatchObject({ slug: "credentials-expired" });
      const { key: renewed } = await rotate(item.id, { expiresAt: null });
      expect(await works(renewed)).toBe(true);
    });

    test("is refused to callers who lack the scopes of the key", async () => {
      const { item } = await mint({ scopes: ["agents:read", "agents:write"] });
      const keeper = admin(["keys:write", "agents:read"]);
      await expect(rotate(item.id, {}, keeper)).rejects.toMatchObject({
        slug: "scope-escalation",
        members: { scopes: ["agents:write"] },
      });
      await expect(rotate(item.id, { scopes: ["agents:read"] }, keeper)).resolves.toBeDefined();
    });
  });

  describe("a change", () => {
    test("applies to the next request, also with an old secret in its grace period", async () => {
      const { key: old, item } = await mint();
      const { key } = await rotate(item.id, { graceSeconds: 1_000 });
      await update(item.id, { scopes: ["tools:read"] });
      expect((await use(key)).principal.scopes).toEqual(["tools:read"]);
      expect((await use(old)).principal.scopes).toEqual(["tools:read"]);
      expect(await getApiKey(db, org, item.id)).toMatchObject({ scopes: ["tools:read"] });
      runtime.advance(1_000_000);
      expect([await works(old), await works(key)]).toEqual([false, true]);
    });

    test("never grants scopes that the caller lacks", async () => {
      const { item } = await mint();
      const keeper = admin(["keys:write"]);
      await expect(update(item.id, { scopes: ["agents:write"] }, keeper)).rejects.toMatchObject({
        slug: "scope-escalation",
      });
      await expect(update(item.id, { name: "renamed" }, keeper)).resolves.toMatchObject({
        name: "renamed",
      });
    });

    test("may shorten the expiry of a key with more scopes than the caller, but not extend it", async () => {
      const end = runtime.clock() + 1_000;
      const { item } = await mint({ expiresAt: new Date(end).toISOString() });
      const keeper = admin(["keys:write"]);
      for (const expiresAt of [null, new Date(end + 1).toISOString()]) {
        const prolonged = update(item.id, { expiresAt }, keeper);
        await expect(prolonged).rejects.toMatchObject({ slug: "scope-escalation" });
      }
      const sooner = new Date(end - 1).toISOString();
      await expect(update(item.id, { expiresAt: sooner }, keeper)).resolves.toMatchObject({
        expiresAt: end - 1,
      });
    });

    test("and a rotation require an expiry in the future and before the year 10000", async () => {
      const unknown = "01a1f8d3-ea00-7000-8000-000000000001";
      for (const expiresAt of ["2001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"]) {
        for (const change of [update(unknown, { expiresAt }), rotate(unknown, { expiresAt })]) {
          await expect(change).rejects.toMatchObject({
            slug: "validation-failed",
            members: { errors: [{ pointer: "/expiresAt" }] },
          });
        }
      }
    });

    test("that loses a race is applied to the result of the other", async () => {
      const { item } = await mint();
      for (let write = 0; write < 3; write += 1) {
        db.spoilNext(write);
        await update(item.id, { name: `name-${write}` });
      }
      expect((await history(item.id)).map((event) => event.type)).toEqual([
        "Updated",
        "Updated",
        "Updated",
        "Issued",
      ]);
    });

    test("by many concurrent callers is applied one after the other, or refused", async () => {
      const { item } = await mint();
      const results = await Promise.allSettled(
        Array.from({ length: 4 }, (_, at) => update(item.id, { name: `name-${at}` })),
      );
      const appliedCount = results.filter((result) => result.status === "fulfilled").length;
      expect(await history(item.id)).toHaveLength(1 + appliedCount);
      expect(appliedCount).toBeGreaterThan(0);
    });
  });

  describe("revocation", () => {
    test("ends every secret, is recorded once, and keeps the history", async () => {
      const { key: old, item } = await mint();
      const { key } = await rotate(item.id, { graceSeconds: 1_000 });
      runtime.advance(5);
      await use(key);
      await revoke(item.id);
      await revoke(item.id);
      expect([await works(old), await works(key)]).toEqual([false, false]);
      expect((await history(item.id)).map((event) => event.type)).toEqual([
        "Revoked",
        "Rotated",
        "Issued",
      ]);
      expect((await getApiKey(db, org, item.id))?.lastUsedAt).toBe(runtime.clock());
      await expect(rotate(item.id)).rejects.toMatchObject({ slug: "conflict" });
      await expect(update(item.id, { name: "x" })).rejects.toMatchObject({ slug: "conflict" });
    });

    test("racing a rotation leaves no valid secret", async () => {
      for (let round = 0; round < 6; round += 1) {
        const { key: old, item } = await mint();
        const [rotated] = await Promise.allSettled([rotate(item.id), revoke(item.id)]);
        const survivors = [old, ...(rotated.status === "fulfilled" ? [rotated.value.key] : [])];
        for (const key of survivors) expect(await works(key)).toBe(false);
      }
    });
  });

  test("an audit event has the actor, the previous and new values, and the source address", async () => {
    const { item } = await mint();
    runtime.advance(1);
    await update(item.id, {
      scopes: ["tools:read"],
      expiresAt: new Date(runtime.clock() + 5).toISOString(),
    });
    const [event] = await history(item.id);
    expect(event).toMatchObject({
      type: "ScopesChanged",
      actor: { type: "User", id: "admin", email: "admin@example.com" },
      previousScopes: ["agents:read"],
      newScopes: ["tools:read"],
      previousExpiresAt: null,
      newExpiresAt: runtime.clock() + 5,
      requestContext: {
        requestId: "request",
        sourceIp: "127.0.0.1",
        method: "POST",
        path: "/path",
      },
    });
  });

  test("only the hash and the last four characters of a key are stored", async () => {
    const { key } = await mint();
    const stored = JSON.stringify(await db.scan());
    expect(stored).toContain(createHash("sha256").update(key).digest("hex"));
    expect(stored).not.toContain(key.slice(0, -4).slice(-30));
  });

  test("a list omits revoked keys by default, has last uses, and pages over hundreds", async () => {
    const minted: string[] = [];
    for (let count = 0; count < 120; count += 1) {
      runtime.advance(1);
      minted.push((await mint({ name: `key-${count}` })).item.id);
    }
    const { key, item: used } = await mint({ name: "used" });
    minted.push(used.id);
    await use(key);
    await revoke(minted[60] ?? "");
    const live = await listLiveApiKeys(db, org, all);
    expect(live.items.map((item) => item.id)).toEqual(minted.filter((_, at) => at !== 60));
    const everything = await listApiKeys(db, org, all);
    expect(everything.items.map((item) => item.id)).toEqual(minted);
    const deep = await listLiveApiKeys(db, org, { size: 10, skip: 115 });
    expect(deep).toMatchObject({ nextPageToken: null, items: { length: 5 } });
    expect((await findLastUses(db, live.items)).get(used.id)).toBe(runtime.clock());
    expect((await findLastUses(db, live.items)).get(minted[0] ?? "")).toBe(0);
  });

  test("hundreds are listed once, at a constant cost per page", { tags: "nightly" }, async () => {
    const { item } = await mint();
    const ids = Array.from({ length: isNightly ? 2_500 : 500 }, () => {
      runtime.advance(1);
      return newUuid(runtime);
    });
    const items = ids.flatMap((id) => [
      { ...listed(apiKeyKey(org, id)), ...item, id, sha256: id },
      { ...listed(liveKeyKey(org, id)), keyId: id, expiresAt: null },
    ]);
    for (let start = 0; start < items.length; start += 25) {
      const requests = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
      await db.client.send(new BatchWriteCommand({ RequestItems: { [db.table]: requests } }));
    }
    const seen: string[] = [];
    for (let skip: number | null = 0; skip !== null; ) {
      const page = await listLiveApiKeys(db, org, { size: 200, skip });
      seen.push(...page.items.map((item) => item.id));
      skip = page.nextPageToken === null ? null : Number(page.nextPageToken);
    }
    expect(seen).toEqual([item.id, ...ids]);
    db.calls.length = 0;
    await listLiveApiKeys(db, org, { size: 50, skip: 0 });
    expect(db.calls).toEqual(["Query", "BatchGetItem"]);
  });

  describe("the number of active keys", () => {
    const limited = (input: object = {}) =>
      generateApiKey(
        { ...deps(), maxKeys: 3 },
        { ctx: ctx(), body: { name: "test", scopes: ["agents:read"], ...input } },
      );
    const inMs = (ms: number) => ({ expiresAt: new Date(runtime.clock() + ms).toISOString() });
    const full = { slug: "conflict", message: expect.stringContaining("3 active API keys") };

    test("is never exceeded, however many are generated concurrently", async () => {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => limited()));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
      await expect(limited()).rejects.toMatchObject(full);
    });

    test("counts revoked and expired keys out, once", async () => {
      const { item } = await limited();
      await limited(inMs(1_000));
      await limited(inMs(2_000));
      await expect(limited()).rejects.toMatchObject(full);
      runtime.advance(1_000);
      await limited();
      await expect(limited()).rejects.toMatchObject(full);
      await revoke(item.id);
      await revoke(item.id);
      await limited();
      await expect(limited()).rejects.toMatchObject(full);
    });

    test("counts an expired key again that gets a later expiry, and one that is revoked no more", async () => {
      const { item } = await limited(inMs(1_000));
      await limited();
      await limited();
      runtime.advance(1_000);
      const { item: taken } = await limited();
      await update(item.id, { expiresAt: null });
      expect(await readActiveCount()).toBe(4);
      await revoke(taken.id);
      await expect(limited()).rejects.toMatchObject(full);
      await revoke(item.id);
      expect(await readActiveCount()).toBe(2);
      const { item: expiring } = await limited(inMs(1));
      runtime.advance(1);
      await limited();
      await revoke(expiring.id);
      expect(await readActiveCount()).toBe(3);
    });

    test.each([["rotated", rotate] as const, ["changed", update] as const])(
      "names the limit for an expired key that is %s while another takes the last place",
      async (_, change) => {
        const { item } = await mint(inMs(1_000));
        runtime.advance(1_000);
        await setCount(maxActiveKeys());
        await mint();
        await setCount(maxActiveKeys() - 1);
        db.beforeNext("TransactWriteItems", () => mint());
        await expect(change(item.id, { expiresAt: null })).rejects.toMatchObject({
          slug: "conflict",
          message: expect.stringContaining("active API keys"),
        });
        expect(await readActiveCount()).toBe(maxActiveKeys());
      },
    );

    const setCount = (active: number) =>
      db.client.send(
        new PutCommand({ TableName: db.table, Item: { ...keyCountKey(org), active } }),
      );
    const readActiveCount = async () =>
      (await getItem(db, keyCountKey(org), z.object({ active: z.int() })))?.active;
  });
});
