import { fork } from "node:child_process";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { browserSession } from "../../../test/harness/browser-session.ts";
import { connectable } from "../../../test/harness/connections.ts";
import { issuerClient, startIssuer } from "../../../test/harness/issuer.ts";
import { testProcessor } from "../../../test/harness/processor.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ConsentRequired } from "../../engine/tools/tool.ts";
import { configToolsLoader } from "../tools/config-tools.ts";
import { verifyConnectionLink } from "./connection-link.ts";
import { deleteConnection } from "./delete-connection.ts";
import { refreshNow } from "./refresh-now.ts";
import { changeConnection, getConnection } from "./store.ts";
import { wantScopes } from "./want-scopes.ts";

let db: TestDatabase;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  db = await testDatabase();
  issuer = await startIssuer(["http://localhost/v1/oauth/callback"]);
});
afterAll(() => issuer.close());
beforeEach(() => {
  Object.assign(issuer.person, { id: "ada", denies: false });
  issuer.tokens.after = undefined;
  for (const path of Object.keys(issuer.counts)) delete issuer.counts[path];
  return async () => {
    for (const close of closing.splice(0)) await close();
  };
});

/** Starts a process that calls the tool of a config. */
const startCaller = (task: object) => {
  const child = fork(
    new URL("../../../test/harness/connection-caller.ts", import.meta.url),
    [JSON.stringify(task)],
    { execArgv: [] },
  );
  closing.push(async () => {
    child.kill();
  });
  const [ready, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const results = Promise.withResolvers<unknown[]>();
  child.on("message", (sent) => {
    const { type, results: found = [] } = Sent.parse(sent);
    if (type === "ready") ready.resolve();
    if (type === "waiting") waiting.resolve();
    if (type === "results") results.resolve(found);
  });
  return {
    ready: ready.promise,
    begin: () => child.send("call"),
    waiting: waiting.promise,
    results: results.promise,
  };
};
const Sent = z.object({ type: z.string(), results: z.array(z.unknown()).optional() });

const start = async (auth: object = {}) => {
  const world = await connectable(db, issuer, auth);
  closing.push(world.close);
  return world;
};
const connected = async (auth: object = {}) => {
  const world = await start(auth);
  const created = await world.create();
  await world.consent(created);
  issuer.counts["/token"] = 0;
  return { ...world, id: created.id };
};
/** A connection that got more scopes than its config has, expired, and is to be consented to again. */
const widened = async () => {
  const world = await start();
  const { ctx, create, consent } = world;
  await consent(await create());
  const wider = await create({ scopes: ["files.write"] });
  await consent(wider);
  const item = await getConnection(db, ctx.tenant.id, wider.id);
  if (!item) throw new Error("no connection");
  await changeConnection(db, ctx.tenant.id, item, { status: "Expired" });
  return { ...world, again: await create() };
};
/** Where an issuer sends the browser of a consent with scopes that it does not know. */
const unknownScope = (baseUrl: string, url: string): string => {
  const callback = new URL(`${baseUrl}/v1/oauth/callback`);
  callback.searchParams.set("error", "invalid_scope");
  callback.searchParams.set("iss", issuer.url);
  callback.searchParams.set("state", new URL(url).searchParams.get("state") ?? "");
  return callback.href;
};
const tokenCalls = () => issuer.counts["/token"] ?? 0;
/** Almost all of the life of an access token of the issuer. */
const nearExpiryMs = 580_000;

describe("a connection of a tenant", () => {
  test("calls the tools of its config as the person who gave consent", {
    tags: "nightly",
  }, async () => {
    const { create, consent, call, read } = await start();
    const pending = await create();
    expect(pending).toMatchObject({ status: "Pending", owner: "tenant", scopes: [] });
    expect(await consent(pending)).toEqual({ outcome: "connected" });
    expect(await call()).toEqual({ person: "ada", scope: "files.read" });
    expect(await read(pending.id)).toMatchObject({
      status: "Active",
      scopes: ["files.read"],
      authorizeUrl: null,
      error: null,
    });
  });

  test("is created once: another call prepares another consent, and is refused once it is active", {
    tags: "nightly",
  }, async () => {
    const { create, consent } = await start();
    const [one, other] = await Promise.all([create(), create()]);
    expect(other.id).toBe(one.id);
    await consent(other);
    await expect(create()).rejects.toMatchObject({ slug: "conflict" });
    const wider = await create({ scopes: ["files.read", "files.write"] });
    expect(wider).toMatchObject({ status: "Active", authorizeUrl: expect.any(String) });
    await consent(wider);
    await expect(create({ scopes: ["files.write"] })).rejects.toMatchObject({ slug: "conflict" });
  });

  test("keeps the scopes that it has when it is to get more", async () => {
    const { create, consent, read, begin } = await start();
    await consent(await create());
    const wider = await create({ scopes: ["files.write"] });
    const { url } = await begin(wider.authorizeUrl ?? "");
    expect(new URL(url).searchParams.get("scope")).toBe("files.read files.write");
    await consent(wider);
    expect(await read(wider.id)).toMatchObject({
      status: "Active",
      scopes: ["files.read", "files.write"],
    });
  });

  test("asks again after its expiry for the scopes of its config and those that services wanted", async () => {
    const { again, consent, read, begin } = await widened();
    const { url } = await begin(again.authorizeUrl ?? "");
    expect(new URL(url).searchParams.get("scope")).toBe("files.read files.write");
    await consent(again);
    expect((await read(again.id)).scopes).toEqual(["files.read", "files.write"]);
  });

  test("asks no more for such scopes once its issuer does not know them", async () => {
    const { again, ctx, create, begin, finish } = await widened();
    const { url, cookie } = await begin(again.authorizeUrl ?? "");
    await finish(unknownScope(ctx.baseUrl, url), { [cookie.name]: cookie.value });
    const last = await begin((await create()).authorizeUrl ?? "");
    expect(new URL(last.url).searchParams.get("scope")).toBe("files.read");
  });

  test("keeps what concurrent calls want, and stops asking for scopes that its issuer does not know", async () => {
    const { create, consent, read, begin, ctx, deps, finish } = await start();
    const { id } = await create();
    await consent(await read(id));
    const want = async (scope: string) => {
      const seen = await getConnection(db, ctx.tenant.id, id);
      if (!seen) throw new Error("there is no connection");
      return wantScopes(deps, { tenantId: ctx.tenant.id, seen, scopes: [scope] });
    };
    await Promise.all([want("files.write"), want("files.delete")]);
    const wider = await create({ scopes: ["files.share"] });
    const { url, cookie } = await begin(wider.authorizeUrl ?? "");
    const { searchParams } = new URL(url);
    expect(searchParams.get("scope")?.split(" ").toSorted()).toEqual([
      "files.delete",
      "files.read",
      "files.share",
      "files.write",
    ]);
    const end = await finish(unknownScope(ctx.baseUrl, url), { [cookie.name]: cookie.value });
    expect(end).toEqual({ outcome: "failed", code: "invalid_scope" });
    expect(await read(id)).toMatchObject({ status: "Active", authorizeUrl: null });
    expect(await want("files.delete")).toBeUndefined();
    expect(await want("files.other")).toMatchObject({
      wantedScopes: ["files.read", "files.other"],
    });
    expect(await create()).toMatchObject({ status: "Active", authorizeUrl: expect.any(String) });
  });

  test("keeps the account of the first consent that ends: another one that was begun before has no effect", async () => {
    const { create, consent, begin, finish, call, ctx } = await start();
    const pending = await create();
    const { url, cookie } = await begin(pending.authorizeUrl ?? "");
    issuer.person.id = "mallory";
    const callback = await browserSession().follow(url, ctx.baseUrl);
    issuer.person.id = "ada";
    await consent(pending);
    const end = await finish(callback, { [cookie.name]: cookie.value });
    expect(end).toEqual({ outcome: "over" });
    expect(await call()).toMatchObject({ person: "ada" });
    expect(issuer.counts["/token/revocation"]).toBeGreaterThan(0);
  });

  test("stays active when the person denies another consent", { tags: "nightly" }, async () => {
    const { create, consent, read, call } = await start();
    await consent(await create());
    const wider = await create({ scopes: ["files.write"] });
    issuer.person.denies = true;
    expect(await consent(wider)).toEqual({ outcome: "denied" });
    expect(await read(wider.id)).toMatchObject({ status: "Active", scopes: ["files.read"] });
    expect(await call()).toMatchObject({ person: "ada" });
  });

  test("is not used any more once the config sends its calls elsewhere", async () => {
    const { id, call, read, received, moveApi } = await connected();
    await call();
    const calls = received.length;
    await moveApi();
    await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
    expect(received).toHaveLength(calls);
    expect(await read(id)).toMatchObject({ status: "Expired", error: "config-changed" });
  });

  test("stays active for the config as it is now, whatever a run with the config before calls", async () => {
    const { ctx, deps, configId, id, call, create, consent, read, moveApi } = await connected();
    const before = await configToolsLoader(deps)(
      ctx.tenant.id,
      { integrationId: "openapi", configId },
      { signal: new AbortController().signal, processor: testProcessor() },
    );
    await moveApi();
    await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
    await consent(await create());
    await expect(call({}, async () => before)).rejects.toThrow("was changed while it was in use");
    expect(await read(id)).toMatchObject({ status: "Active" });
    expect(await call()).toMatchObject({ person: "ada" });
  });

  test("of a client itself needs no person", async () => {
    const { call, create } = await start({ grant: "client_credentials", authorizationUrl: null });
    const created = await create();
    expect(created).toMatchObject({ status: "Active", authorizeUrl: null });
    await expect(call()).rejects.toMatchObject({ upstreamStatus: 401 });
    // The issuer has no person for it; the token was refused once, and fetched once more.
    expect(tokenCalls()).toBe(2);
  });
});

describe("the refresh of a connection", () => {
  test("is made once for 20 callers of several instances before the token expires", async () => {
    const { call, ctx, deps, received } = await connected();
    const instances = [0, 1, 2, 3].map(() => configToolsLoader(deps));
    ctx.advance(nearExpiryMs);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) => call({}, instances[at % 4])),
    );
    expect(results.every((result) => JSON.stringify(result).includes("ada"))).toBe(true);
    expect(tokenCalls()).toBe(1);
    expect(new Set(received).size).toBeLessThanOrEqual(2);
  });

  test("is made once for 20 callers of an expired token, which then use the new one", {
    tags: "nightly",
  }, async () => {
    const { call, ctx, deps, received } = await connected();
    const instances = [0, 1, 2, 3].map(() => configToolsLoader(deps));
    ctx.advance(2 * nearExpiryMs);
    await Promise.all(Array.from({ length: 20 }, (_, at) => call({}, instances[at % 4])));
    expect(tokenCalls()).toBe(1);
    expect(new Set(received).size).toBe(1);
  });

  test.each([
    ["is about to expire", nearExpiryMs],
    ["has expired", 2 * nearExpiryMs],
  ])(
    "is made once for callers in several processes of a token that %s",
    { tags: "nightly" },
    async (_, afterMs) => {
      const { ctx, configId, id, received } = await connected();
      ctx.advance(afterMs);
      const [processes, calls] = [3, 4];
      const callers = Array.from({ length: processes }, () =>
        startCaller({
          endpoint: inject("dynamodbEndpoint"),
          table: db.table,
          tenantId: ctx.tenant.id,
          configId,
          now: ctx.clock(),
          calls,
        }),
      );
      const refreshed = Promise.withResolvers<void>();
      issuer.tokens.after = refreshed.promise;
      await Promise.all(callers.map(({ ready }) => ready));
      for (const { begin } of callers) begin();
      await Promise.all(callers.map(({ waiting }) => waiting));
      await expect.poll(tokenCalls, { timeout: 10_000 }).toBe(1);
      refreshed.resolve();
      const results = (await Promise.all(callers.map(({ results }) => results))).flat();
      expect(results).toEqual(
        Array.from({ length: processes * calls }, () => ({ person: "ada", scope: "files.read" })),
      );
      expect(tokenCalls()).toBe(1);
      expect(received).toHaveLength(processes * calls);
      expect(new Set(received).size).toBe(1);
      const item = await getConnection(db, ctx.tenant.id, id);
      expect(item).toMatchObject({ status: "Active", version: 2, error: null });
    },
  );

  test("stores the rotated refresh token before the new access token is used", async () => {
    const { call, ctx, id, deps, received } = await connected();
    for (let turn = 0; turn < 3; turn += 1) {
      ctx.advance(nearExpiryMs);
      const before = await getConnection(db, ctx.tenant.id, id);
      await call();
      const after = await getConnection(db, ctx.tenant.id, id);
      expect(after?.version).toBe((before?.version ?? 0) + 1);
    }
    expect(tokenCalls()).toBe(3);
    // A write that fails: the new token is not used.
    const calls = received.length;
    ctx.advance(nearExpiryMs * 2);
    const failing = { ...deps.sealer, seal: async () => Promise.reject(new Error("no storage")) };
    const load = configToolsLoader({ ...deps, sealer: failing });
    await expect(call({}, load)).rejects.toThrow("no storage");
    expect(received).toHaveLength(calls);
  });

  test("follows one 401, once", async () => {
    const { call, refuse, received } = await connected();
    refuse.times = 1;
    expect(await call()).toMatchObject({ person: "ada" });
    expect([tokenCalls(), received.length]).toEqual([1, 2]);
    refuse.times = 2;
    await expect(call()).rejects.toMatchObject({ upstreamStatus: 401 });
    expect([tokenCalls(), received.length]).toEqual([2, 4]);
  });

  test("that died between the response and the write costs a consent, and no wrong token is used", {
    tags: "nightly",
  }, async () => {
    const { call, ctx, deps, id, read, create, consent } = await connected();
    ctx.advance(2 * nearExpiryMs);
    const dying = new Promise<never>(() => {});
    let isIssued = false;
    const sealer = {
      ...deps.sealer,
      seal: () => {
        isIssued = true;
        return dying;
      },
    };
    void call({}, configToolsLoader({ ...deps, sealer })).catch(() => {});
    await expect.poll(() => isIssued).toBe(true);
    // Its lease protects it for 30 seconds; another call waits for it, in 200 polls of a clock that stands still.
    await expect(call()).rejects.toMatchObject({ timedOut: true });
    ctx.advance(31_000);
    await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
    expect(await read(id)).toMatchObject({ status: "Expired", error: "invalid_grant" });
    await consent(await create());
    expect(await call()).toMatchObject({ person: "ada" });
  });

  test("with a wrong client secret fails and names the client, and succeeds without consent once the config has the right one", async () => {
    const { call, changeAuth, ctx, id, read, received } = await connected();
    await changeAuth({ clientSecret: "another-secret" });
    ctx.advance(2 * nearExpiryMs);
    for (const _ of [1, 2]) {
      await expect(call()).rejects.toThrow(
        /^The authorization server refused the client of "Files": invalid_client\. Check the client/,
      );
      expect(await read(id)).toMatchObject({ status: "Active", error: null });
    }
    expect(received).toEqual([]);
    expect(tokenCalls()).toBe(2);
    await changeAuth({ clientSecret: issuerClient.secret });
    expect(await call()).toMatchObject({ person: "ada" });
    expect(tokenCalls()).toBe(3);
  });

  test("can be asked for, and shows what became of the connection", async () => {
    const { ctx, deps, id } = await connected();
    const input = {
      tenantId: ctx.tenant.id,
      connectionId: id,
      signal: new AbortController().signal,
    };
    expect(await refreshNow(deps, input)).toMatchObject({ status: "Active", version: 2 });
    expect(tokenCalls()).toBe(1);
    const item = await getConnection(db, ctx.tenant.id, id);
    if (item) await changeConnection(db, ctx.tenant.id, item, { isRefreshable: false });
    await expect(refreshNow(deps, input)).rejects.toMatchObject({ slug: "conflict" });
  });
});

describe("a deleted connection", () => {
  test("is revoked at the issuer, and used by no call from then on", async () => {
    const { call, ctx, deps, id, received } = await connected();
    await call();
    const token = received.at(-1);
    expect(await issuer.findPerson(token)).toMatchObject({ id: "ada" });
    await deleteConnection(deps, { tenantId: ctx.tenant.id, connectionId: id });
    expect(issuer.counts["/token/revocation"]).toBe(1);
    expect(await issuer.findPerson(token)).toBeUndefined();
    await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
    const again = deleteConnection(deps, { tenantId: ctx.tenant.id, connectionId: id });
    await again;
    await expect(
      deleteConnection(deps, { tenantId: ctx.tenant.id, connectionId: id }),
    ).rejects.toMatchObject({ slug: "not-found" });
  });
});

describe("whoever attacks a consent", () => {
  test("cannot finish it in another browser than the one that began it", async () => {
    const { create, begin, finish, read, ctx } = await start();
    const created = await create();
    const { url, cookie } = await begin(created.authorizeUrl ?? "");
    const callback = await browserSession().follow(url, ctx.baseUrl);
    expect(await finish(callback, {})).toEqual({ outcome: "other-browser" });
    expect(await finish(callback, { [cookie.name]: "guess" })).toEqual({
      outcome: "other-browser",
    });
    const own = await begin(created.authorizeUrl ?? "");
    expect(await finish(callback, { [own.cookie.name]: own.cookie.value })).toEqual({
      outcome: "other-browser",
    });
    expect(tokenCalls()).toBe(0);
    expect(await read(created.id)).toMatchObject({ status: "Pending" });
    expect(await finish(callback, { [cookie.name]: cookie.value })).toEqual({
      outcome: "connected",
    });
  });

  test("cannot use a state twice, at the same time or later, nor after 10 minutes", async () => {
    const { create, begin, finish, ctx } = await start();
    const created = await create();
    const { url, cookie } = await begin(created.authorizeUrl ?? "");
    const late = await begin(created.authorizeUrl ?? "");
    const callback = await browserSession().follow(url, ctx.baseUrl);
    const lateCallback = await browserSession().follow(late.url, ctx.baseUrl);
    const cookies = { [cookie.name]: cookie.value };
    const both = await Promise.all([finish(callback, cookies), finish(callback, cookies)]);
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(["connected", "over"]);
    expect(await finish(callback, cookies)).toEqual({ outcome: "over" });
    ctx.advance(600_000);
    const ending = finish(lateCallback, { [late.cookie.name]: late.cookie.value });
    expect(await ending).toEqual({ outcome: "over" });
  });

  test("cannot make the callback redirect, nor find a state by guessing", async () => {
    const { finish, ctx } = await start();
    const guess = `http://localhost/v1/oauth/callback?state=${ctx.tenant.id}.x&redirect_uri=https://evil.example`;
    expect(await finish(guess, {})).toEqual({ outcome: "over" });
    await expect(finish("http://localhost/?state=no.such", {})).rejects.toMatchObject({
      slug: "not-found",
    });
  });

  test("cannot open another tenant's connection, link or tokens", async () => {
    const mine = await connected();
    const other = await start();
    const tenantId = other.ctx.tenant.id;
    await expect(other.read(mine.id)).rejects.toMatchObject({ slug: "not-found" });
    const stolen = deleteConnection(other.deps, { tenantId, connectionId: mine.id });
    await expect(stolen).rejects.toMatchObject({ slug: "not-found" });
    const wider = await mine.create({ scopes: ["files.write"] });
    const token = wider.authorizeUrl?.split("/").at(-1) ?? "";
    await expect(
      verifyConnectionLink(other.deps, { tenant: other.ctx.tenant, token }),
    ).rejects.toMatchObject({ slug: "not-found" });
  });

  test("finds no token, secret or state in the table", async () => {
    const { received, call } = await connected();
    await call();
    const stored = JSON.stringify(await db.scan());
    expect(stored).not.toContain(received[0]?.replace("Bearer ", ""));
    expect(stored).not.toContain("client-secret-of-wharf");
  });
});
