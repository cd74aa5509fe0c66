import { setTimeout } from "node:timers/promises";
import { inspect } from "node:util";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { connectable } from "../../../test/harness/connections.ts";
import { identityClient, startIdentityProvider } from "../../../test/harness/identity-provider.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { startWrongIssuer } from "../../../test/harness/wrong-issuer.ts";
import { ConsentRequired } from "../../engine/tools/tool.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { readOAuthConfig } from "./begin-consent.ts";
import { deleteConnection } from "./delete-connection.ts";
import { refreshConnection } from "./refresh-connection.ts";
import { refreshNow } from "./refresh-now.ts";
import { requireConnection } from "./show-connection.ts";
import { takeRefresh } from "./store.ts";

let db: TestDatabase;
let company: Awaited<ReturnType<typeof startIdentityProvider>>;
/** The authorization server of the service. */
let service: Awaited<ReturnType<typeof startWrongIssuer>>;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  company = await startIdentityProvider();
  onTestFinished(company.close);
  service = await startWrongIssuer();
  onTestFinished(service.close);
  Object.assign(service.metadata, { token_endpoint: `${service.url}/token` });
});

const start = async (auth: object = {}, responseMs = 10_000) => {
  const settings = {
    grant: "id-jag",
    ...{ authorizationUrl: null, tokenUrl: null, revocationUrl: null },
    issuer: service.url,
    resource: "https://api.example.com",
    identityProviderIssuer: company.url,
    identityProviderClientId: identityClient.id,
    identityProviderClientSecret: identityClient.secret,
    ...auth,
  };
  const world = await connectable(db, service, settings, testTenant(db), responseMs);
  onTestFinished(world.close);
  return world;
};

const connect = async (auth: object = {}, responseMs = 10_000) => {
  const world = await start(auth, responseMs);
  const created = await world.create();
  expect(await world.consent(created)).toEqual({ outcome: "connected" });
  return { ...world, created };
};

/** Responses of the service without a refresh token, as is usual for assertions. */
const expectTokens = (count: number) => {
  for (let at = 1; at <= count; at += 1) {
    service.next.push({
      body: { access_token: `access-${at}`, token_type: "Bearer", expires_in: 600 },
    });
  }
};

/** Most of the life of an access token of the service, and all of it. */
const [nearEndMs, lifeMs] = [560_000, 700_000];
const readAssertions = () => service.requests.map((request) => request.get("assertion"));
const readSubjects = () =>
  company.listRequests(":token-exchange").map((request) => request.get("subject_token"));
const refusal = (error: string) => ({ status: 400, body: { error } });

/** Time for a response. Three that `delay` delays take longer than two of it. */
const shortMs = 400;
/** Delays the next exchange, its repetition, and the request with its assertion. */
const delay = () => {
  const before = () => setTimeout(300);
  const issued_token_type = "urn:ietf:params:oauth:token-type:id-jag";
  const body = { access_token: "an-assertion", token_type: "N_A", issued_token_type };
  company.exchanges.push({ status: 503, body: {}, before }, { status: 200, body, before });
  service.next.push({ before });
};

describe("the grant id-jag with a person", () => {
  test("names the members that replace the metadata of an identity provider without it", async () => {
    const { create, begin } = await start({
      identityProviderIssuer: `${company.url}/nothing-here`,
    });
    const { authorizeUrl } = await create();
    const { host } = new URL(company.url);
    const names = "identityProviderTokenUrl and identityProviderAuthorizationUrl";
    await expect(begin(authorizeUrl ?? "")).rejects.toThrow(
      `${host}/nothing-here has no metadata: set ${names} in auth.`,
    );
  });

  test("signs an end user in at the identity provider, and exchanges the ID token for an assertion and that for the tokens", async () => {
    expectTokens(1);
    const { create, consent, call, read } = await start({ owner: "endUser" });
    const created = await create({ endUserId: "ada" });
    expect(created).toMatchObject({ status: "Pending", endUserId: "ada" });
    expect(await consent(created)).toEqual({ outcome: "connected" });
    const [authorization] = company.authorizations;
    const { state, code_challenge, ...asked } = Object.fromEntries(authorization ?? []);
    expect(asked).toEqual({
      response_type: "code",
      client_id: identityClient.id,
      redirect_uri: "http://localhost/v1/oauth/callback",
      scope: "openid offline_access",
      code_challenge_method: "S256",
    });
    const exchanged = company.listRequests(":token-exchange");
    expect(exchanged.map((request) => Object.fromEntries(request))).toEqual([
      {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
        audience: service.url,
        resource: "https://api.example.com",
        scope: "files.read",
        subject_token: "header.id-token-1.signature",
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      },
    ]);
    expect(service.requests.map((request) => Object.fromEntries(request))).toEqual([
      {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: "assertion-2",
        scope: "files.read",
        resource: "https://api.example.com",
      },
    ]);
    expect(await call({ endUserId: "ada" })).toMatchObject({ person: "holder-1" });
    expect(await read(created.id)).toMatchObject({ status: "Active", scopes: ["files.read"] });
    await expect(call({ endUserId: "grace" })).rejects.toBeInstanceOf(ConsentRequired);
  });

  test("renews the ID token before the next exchange, once for all callers, without the person", async () => {
    expectTokens(3);
    const { call, ctx } = await connect();
    ctx.advance(nearEndMs);
    const people = await Promise.all([call(), call(), call()]);
    for (const found of people) expect(found).toMatchObject({ person: "holder-2" });
    ctx.advance(nearEndMs);
    expect(await call()).toMatchObject({ person: "holder-3" });
    const refreshed = company.listRequests("refresh_token");
    expect(refreshed.map((request) => request.get("refresh_token"))).toEqual([
      "identity-refresh-1",
      "identity-refresh-2",
    ]);
    expect(readSubjects()).toEqual([1, 2, 3].map((at) => `header.id-token-${at}.signature`));
  });

  test("keeps a rotated refresh token of the identity provider when the exchange after it fails", async () => {
    expectTokens(2);
    const { call, ctx, created, read } = await connect();
    const failure = { status: 503, body: {} };
    // The exchange is repeated once.
    company.exchanges.push(failure, failure);
    ctx.advance(nearEndMs);
    expect(await call()).toMatchObject({ person: "holder-1" });
    expect(company.listRequests(":token-exchange")).toHaveLength(3);
    ctx.advance(30_000);
    expect(await call()).toMatchObject({ person: "holder-2" });
    const used = company.listRequests("refresh_token");
    expect(used.map((request) => request.get("refresh_token"))).toEqual([
      "identity-refresh-1",
      "identity-refresh-2",
    ]);
    expect(await read(created.id)).toMatchObject({ status: "Active" });
  });

  test("is not refreshed with the tokens that a caller saw before another one renewed the sign-in", async () => {
    expectTokens(2);
    const { call, ctx, created, deps, configId } = await connect();
    const tenantId = ctx.tenant.id;
    const { tokens, ...seen } = await requireConnection(deps, {
      tenantId,
      connectionId: created.id,
    });
    if (!tokens) throw new Error("there are no tokens");
    const failure = { status: 503, body: {} };
    company.exchanges.push(failure, failure);
    ctx.advance(lifeMs);
    await expect(call()).rejects.toBeInstanceOf(UpstreamError);
    const config = await readOAuthConfig(deps, { tenantId, configId });
    const { signal } = new AbortController();
    const open = await refreshConnection(deps, { config, seen: { ...seen, tokens }, signal });
    expect(open?.tokens.accessToken).toBe("access-2");
  });

  test("gets another assertion where the service failed with the one before", async () => {
    service.next.push({ status: 503 });
    const { call } = await connect();
    expect(await call()).toMatchObject({ person: "holder-2" });
    expect(readAssertions()).toEqual(["assertion-2", "assertion-3"]);
  });

  test("is connected again by a person after the session at the identity provider has ended", async () => {
    expectTokens(1);
    const { call, ctx, created, read, consent } = await connect();
    company.end();
    ctx.advance(lifeMs);
    await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
    const expired = await read(created.id);
    expect(expired).toMatchObject({ status: "Expired", error: "invalid_grant" });
    expect(await consent(expired)).toEqual({ outcome: "connected" });
    expect(await call()).toMatchObject({ person: expect.stringMatching(/^holder-/) });
  });

  test("keeps the sign-in while the identity provider refuses the client, such as for its secret", async () => {
    const { call, ctx, created, read } = await connect();
    const { secret } = company.features;
    company.features.secret = "another";
    ctx.advance(lifeMs);
    await expect(call()).rejects.toMatchObject({
      upstream: new URL(company.url).host,
      message: expect.stringContaining('The identity provider refused the client of "Files"'),
    });
    expect(await read(created.id)).toMatchObject({ status: "Active" });
    company.features.secret = secret;
    company.exchanges.push(refusal("invalid_client"));
    await expect(call()).rejects.toMatchObject({ upstream: new URL(company.url).host });
    service.next.push(refusal("invalid_client"));
    await expect(call()).rejects.toMatchObject({
      upstream: new URL(service.url).host,
      message: expect.stringContaining('The authorization server refused the client of "Files"'),
    });
    expect(await call()).toMatchObject({ person: expect.stringMatching("holder-") });
  });

  test("works without offline access as long as the identity provider takes the ID token", async () => {
    expectTokens(2);
    company.features.offlineAccess = false;
    const { call, ctx, created, read } = await connect();
    expect(company.authorizations[0]?.get("scope")).toBe("openid");
    ctx.advance(nearEndMs);
    expect(await call()).toMatchObject({ person: "holder-2" });
    company.exchanges.push(refusal("invalid_grant"));
    ctx.advance(lifeMs);
    await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
    expect(await read(created.id)).toMatchObject({ status: "Expired", error: "invalid_grant" });
  });

  test.each<[string, () => void, string]>([
    [
      "without an ID token",
      () => Object.assign(company.features, { idTokens: false }),
      "no-id-token",
    ],
    [
      "without a permission of the company",
      () => company.exchanges.push(refusal("invalid_target")),
      "invalid_target",
    ],
    [
      "with an ID token that is too long",
      () => Object.assign(company.features, { suffix: "s".repeat(20_000) }),
      "no-id-token",
    ],
    [
      "with another token than an assertion",
      () =>
        company.exchanges.push({
          status: 200,
          body: {
            access_token: "a-token",
            token_type: "Bearer",
            issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
          },
        }),
      "unsupported-token-type",
    ],
    [
      "with an assertion that the service refuses",
      () => service.next.push(refusal("invalid_grant")),
      "invalid_grant",
    ],
  ])(
    "fails a consent %s, and does not end the other sign-ins of the person",
    async (_, prepare, code) => {
      prepare();
      const { create, consent, read } = await start();
      const created = await create();
      expect(await consent(created)).toEqual({ outcome: "failed", code });
      expect(await read(created.id)).toMatchObject({ status: "Failed", error: code });
      expect(company.revoked).toEqual([]);
    },
  );

  test("is not revoked for a consent that ends after another one", async () => {
    const { create, consent, read } = await start();
    const created = await create();
    service.next.push({ before: () => consent(created) });
    expect(await consent(created)).toEqual({ outcome: "over" });
    expect(await read(created.id)).toMatchObject({ status: "Active" });
    expect(company.revoked).toEqual([]);
  });

  test("is revoked with a consent that ends after the deletion of its connection", async () => {
    const { create, consent, ctx, deps } = await start();
    const created = await create();
    const input = { tenantId: ctx.tenant.id, connectionId: created.id };
    service.next.push({ before: () => deleteConnection(deps, input) });
    expect(await consent(created)).toEqual({ outcome: "deleted" });
    expect(company.revoked).toEqual(["identity-refresh-1"]);
  });

  test("fails a consent that takes longer than two responses may", async () => {
    const { create, consent, read } = await start({}, shortMs);
    delay();
    const created = await create();
    expect(await consent(created)).toEqual({ outcome: "failed", code: "upstream-timeout" });
    expect(await read(created.id)).toMatchObject({ status: "Failed", error: "upstream-timeout" });
  });

  test("fails a refresh that takes longer than two responses may, and stays", async () => {
    const { ctx, call, created, read } = await connect({}, shortMs);
    delay();
    ctx.advance(lifeMs);
    await expect(call()).rejects.toMatchObject({ timedOut: true });
    expect(await read(created.id)).toMatchObject({ status: "Active" });
  });

  test("holds a refresh for half a minute", async () => {
    const { ctx, call, created, deps } = await connect();
    const input = { tenantId: ctx.tenant.id, connectionId: created.id };
    let until: number | null | undefined;
    const before = async () => {
      until = (await requireConnection(deps, input)).refresherUntil;
    };
    service.next.push({ before });
    ctx.advance(nearEndMs);
    await call();
    expect(until).toBe(ctx.clock() + 30_000);
  });

  test("waits for another refresh by reads, and takes it over when its time is past", async () => {
    expectTokens(2);
    const { ctx, deps, created, configId } = await connect();
    const tenantId = ctx.tenant.id;
    const input = { tenantId, connectionId: created.id };
    const lease = { holder: "another", until: ctx.clock() + 30_000, now: ctx.clock() };
    expect(await takeRefresh(db, tenantId, await requireConnection(deps, input), lease)).toBe(true);
    const { tokens, ...seen } = await requireConnection(deps, input);
    if (!tokens) throw new Error("there are no tokens");
    const config = await readOAuthConfig(deps, { tenantId, configId });
    const pauses: number[] = [];
    let writes = 0;
    const sleep = async (ms: number) => {
      pauses.push(ms);
      ctx.advance(ms);
      writes = db.calls.filter((name) => name === "UpdateItem").length;
    };
    db.calls.length = 0;
    const { signal } = new AbortController();
    const request = { config, seen: { ...seen, tokens }, signal };
    const open = await refreshConnection({ ...deps, sleep }, request);
    expect(open?.tokens.accessToken).toBe("access-2");
    expect(writes).toBe(0);
    expect(db.calls).toContain("UpdateItem");
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(pauses.length).toBeLessThan(40);
  });

  test("uses the secrets of its clients that the config has by then", async () => {
    expectTokens(2);
    const secrets = { clientSecret: "old-secret", clientAuthentication: "post" };
    const { ctx, call, changeAuth } = await connect(secrets);
    company.features.secret = "new-secret-of-the-identity";
    await changeAuth({
      clientSecret: "new-secret",
      identityProviderClientSecret: company.features.secret,
    });
    ctx.advance(nearEndMs);
    expect(await call()).toMatchObject({ person: "holder-2" });
    const sent = service.requests.map((request) => request.get("client_secret"));
    expect(sent).toEqual(["old-secret", "new-secret"]);
  });

  test("is revoked with the secrets that the config has by then", async () => {
    const { ctx, deps, created, changeAuth } = await connect();
    company.features.secret = "new-secret-of-the-identity";
    await changeAuth({ identityProviderClientSecret: company.features.secret });
    await deleteConnection(deps, { tenantId: ctx.tenant.id, connectionId: created.id });
    expect(company.revoked).toEqual(["identity-refresh-1"]);
  });

  test("has no refresh token of the service that is not of its last tokens", async () => {
    const later = { access_token: "access-2", token_type: "Bearer", expires_in: 600 };
    service.next.push({}, { body: later });
    const { ctx, deps, call, created } = await connect({
      revocationUrl: `${service.url}/token/revocation`,
    });
    ctx.advance(nearEndMs);
    await call();
    await deleteConnection(deps, { tenantId: ctx.tenant.id, connectionId: created.id });
    expect(service.requests.at(-1)?.get("token")).toBe("access-2");
  });

  test("is not used after the config has an ID token", async () => {
    const { call, changeAuth } = await connect();
    await changeAuth({ idToken: company.signIn() });
    expect(await call()).toMatchObject({ person: "holder-2" });
    expect(readSubjects()).toEqual([1, 2].map((at) => `header.id-token-${at}.signature`));
  });

  test("is connected by the addresses of the config where its issuers have no metadata", async () => {
    const issuer = `${service.url}/tenant`;
    const { call } = await connect({
      issuer,
      tokenUrl: `${service.url}/token`,
      identityProviderIssuer: `${company.url}/tenant`,
      identityProviderAuthorizationUrl: `${company.url}/authorize`,
      identityProviderTokenUrl: `${company.url}/token`,
    });
    expect(await call()).toMatchObject({ person: "holder-1" });
    const [exchange] = company.listRequests(":token-exchange");
    expect(exchange?.get("audience")).toBe(issuer);
  });

  test("asks for more scopes by another sign-in, and for those again at each exchange", async () => {
    expectTokens(3);
    const { create, consent, call, ctx } = await connect();
    const wanted = await create({ scopes: ["files.write"] });
    expect(await consent(wanted)).toEqual({ outcome: "connected" });
    ctx.advance(nearEndMs);
    await call();
    const scopes = company.listRequests(":token-exchange").map((sent) => sent.get("scope"));
    expect(scopes).toEqual(["files.read", "files.read files.write", "files.read files.write"]);
  });

  test("is refreshed on request, and its sign-in is revoked with the connection", async () => {
    expectTokens(2);
    const { ctx, deps, created } = await connect();
    const { signal } = new AbortController();
    const input = { tenantId: ctx.tenant.id, connectionId: created.id };
    expect(await refreshNow(deps, { ...input, signal })).toMatchObject({ status: "Active" });
    await deleteConnection(deps, input);
    expect(company.revoked).toEqual(["identity-refresh-2"]);
  });

  test("revokes the sign-in that was renewed while its connection was deleted", async () => {
    expectTokens(1);
    const { ctx, deps, created, call } = await connect();
    const input = { tenantId: ctx.tenant.id, connectionId: created.id };
    service.next.push({
      body: { access_token: "access-2", token_type: "Bearer", expires_in: 600 },
      before: () => deleteConnection(deps, input),
    });
    ctx.advance(lifeMs);
    await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
    expect(company.revoked).toContain("identity-refresh-2");
  });

  test("keeps no token and no secret that is not sealed", async () => {
    const { read, created } = await connect();
    const shown = JSON.stringify([await db.scan(), await read(created.id)]);
    for (const secret of [
      "id-token-1",
      "identity-refresh-1",
      "assertion-2",
      identityClient.secret,
    ]) {
      expect(shown).not.toContain(secret);
    }
  });
});

describe("the grant id-jag with an ID token of its config", () => {
  test("has no token of a response that is not understood in the error", async () => {
    const issued_token_type = "urn:ietf:params:oauth:token-type:id-jag";
    const body = { access_token: "an-assertion", token_type: "MAC", issued_token_type };
    company.exchanges.push({ status: 200, body });
    const { call } = await start({ idToken: company.signIn() });
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(inspect(error, { depth: 10 })).not.toContain("an-assertion");
  });

  test("is not connected by requests that take longer than two responses may", async () => {
    const { create } = await start({ idToken: company.signIn() }, shortMs);
    delay();
    await expect(create()).rejects.toMatchObject({ slug: "upstream-timeout" });
  });

  test("asks with a proof of the key that the tokens are bound to, at the service alone", async () => {
    service.metadata.dpop_signing_alg_values_supported = ["ES256"];
    service.next.push({ body: { access_token: "access-1", token_type: "DPoP", expires_in: 600 } });
    const { create } = await start({ idToken: company.signIn(), dpop: true });
    expect(await create()).toMatchObject({ status: "Active" });
    expect(service.proofs).toEqual([expect.any(String)]);
    expect(company.proofs).toEqual([undefined]);
  });

  test("connects without a person, and exchanges the token that the config has by then", async () => {
    expectTokens(2);
    const { create, call, ctx, changeAuth } = await start({ idToken: company.signIn() });
    expect(await create()).toMatchObject({ status: "Active", authorizeUrl: null });
    expect(await call()).toMatchObject({ person: "holder-1" });
    await changeAuth({ idToken: company.signIn() });
    ctx.advance(nearEndMs);
    expect(await call()).toMatchObject({ person: "holder-2" });
    expect(readSubjects()).toEqual([1, 2].map((at) => `header.id-token-${at}.signature`));
    expect(company.authorizations).toEqual([]);
  });

  test("fails with the code of a refusal, and asks no person", async () => {
    const { create, call } = await start({ idToken: "header.old-token.signature" });
    await expect(create()).rejects.toMatchObject({ slug: "conflict" });
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(ConsentRequired);
    expect(`${error}`).toContain('refused the ID token of "Files": invalid_grant');
    expect(`${error}`).not.toContain("old-token");
  });
});
