import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectable } from "../../../test/harness/connections.ts";
import { startIssuer } from "../../../test/harness/issuer.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { startWrongIssuer } from "../../../test/harness/wrong-issuer.ts";
import { ConsentRequired } from "../../engine/tools/tool.ts";
import { publishIntegrationConfig } from "../config/publish-integration-config.ts";
import { UpdateIntegrationConfigBody } from "../config/schemas.ts";
import { getIntegrationConfig } from "../config/store.ts";
import { readContent } from "../config/to-integration-config.ts";
import { updateIntegrationConfig } from "../config/update-integration-config.ts";
import { configToolsLoader } from "../tools/config-tools.ts";
import { deleteConnection } from "./delete-connection.ts";
import { getConnection } from "./store.ts";

let db: TestDatabase;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const callback = "http://localhost/v1/oauth/callback";
/** Almost all of the life of an access token of the issuer. */
const nearExpiryMs = 580_000;

const generators = {
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
  EdDSA: () => generateKeyPairSync("ed25519").privateKey,
  Ed25519: () => generateKeyPairSync("ed25519").privateKey,
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey,
  PS256: () => generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey,
} as const;
type Algorithm = keyof typeof generators;

const toPem = (key: KeyObject) => `${key.export({ type: "pkcs8", format: "pem" })}`;

/** Members of a client that authenticates with a key at the issuer. */
const describeKeyClient = (key: KeyObject, algorithm: Algorithm) => ({
  client_secret: undefined,
  token_endpoint_auth_method: "private_key_jwt",
  token_endpoint_auth_signing_alg: algorithm,
  jwks: { keys: [{ ...createPublicKey(key).export({ format: "jwk" }), use: "sig" }] },
});

const dpop = { dPoP: { enabled: true } };
const dpopWithNonce = {
  dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
};

/** Publishes a config with other members of its `auth`. */
const change = async (
  {
    ctx,
    deps,
    configId,
  }: Pick<Awaited<ReturnType<typeof connectable>>, "ctx" | "deps" | "configId">,
  members: object,
) => {
  const item = await getIntegrationConfig(db, ctx.tenant.id, configId);
  if (!item) throw new Error("there is no config");
  const { auth } = readContent(item);
  const body = UpdateIntegrationConfigBody.parse({ auth: { ...auth, ...members } });
  await updateIntegrationConfig(deps, { ctx, configId, body });
  await publishIntegrationConfig(deps, { ctx, configId, revision: undefined });
};

/** Starts a tenant with a config of the client of an issuer. */
const startWorld = async (options: Parameters<typeof startIssuer>[1], auth: object) => {
  const issuer = await startIssuer([callback], options);
  closing.unshift(issuer.close);
  const world = await connectable(db, issuer, { issuer: issuer.url, ...auth });
  closing.unshift(world.close);
  return { ...world, issuer };
};

const startWithKey = (algorithm: Algorithm, features: object = {}, auth: object = {}) => {
  const key = generators[algorithm]();
  const client = describeKeyClient(key, algorithm);
  const configuration = { enabledJWA: { clientAuthSigningAlgValues: [algorithm] } };
  const own = { clientSecret: null, clientPrivateKey: toPem(key), ...auth };
  return startWorld({ client, configuration, features }, own);
};

describe("a client with a private key", () => {
  test.each(["ES256", "EdDSA", "Ed25519", "RS256", "PS256"] as const)(
    "gets, refreshes and revokes tokens of an issuer that takes %s",
    async (algorithm) => {
      const { issuer, create, consent, call, ctx, deps } = await startWithKey(algorithm);
      const created = await create();
      expect(await consent(created)).toEqual({ outcome: "connected" });
      expect(await call()).toMatchObject({ person: "ada" });
      ctx.advance(nearExpiryMs);
      await call();
      expect(issuer.counts["/token"]).toBe(2);
      await deleteConnection(deps, { tenantId: ctx.tenant.id, connectionId: created.id });
      expect(issuer.counts["/token/revocation"]).toBe(1);
    },
  );

  test("gets tokens of its own", async () => {
    const grant = { grant: "client_credentials", authorizationUrl: null };
    const { create } = await startWithKey("ES256", {}, grant);
    expect(await create()).toMatchObject({ status: "Active", authorizeUrl: null });
  });

  /** Starts an issuer that accepts every assertion and keeps it. */
  const startLenient = async (auth: object) => {
    const issuer = await startWrongIssuer();
    closing.unshift(issuer.close);
    const secrets = { clientSecret: null, issuer: issuer.url };
    const world = await connectable(db, issuer, { ...secrets, ...auth }, testTenant(db), 1_500);
    closing.unshift(world.close);
    const created = await world.create();
    return { ...world, issuer, created };
  };

  test("signs a new assertion for each request, for the issuer alone and for a minute", async () => {
    const jwk = { ...generators.ES256().export({ format: "jwk" }), kid: "key-1" };
    const { issuer, consent, created, call, ctx } = await startLenient({
      clientPrivateKey: JSON.stringify(jwk),
    });
    issuer.next.push({ status: 500 });
    await consent(created);
    ctx.advance(nearExpiryMs);
    await call();
    const assertions = issuer.requests.map((request) => request.get("client_assertion") ?? "");
    expect(assertions).toHaveLength(3);
    const claims = assertions.map((assertion) => decodeJwt(assertion));
    for (const { aud, iss, sub, exp = 0, iat = 0 } of claims) {
      expect({ aud, iss, sub, seconds: exp - iat }).toEqual({
        aud: issuer.url,
        iss: "wharf",
        sub: "wharf",
        seconds: 60,
      });
    }
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(3);
    expect(decodeProtectedHeader(assertions[0] ?? "")).toMatchObject({
      alg: "ES256",
      kid: "key-1",
    });
    expect(issuer.requests.some((request) => request.has("client_secret"))).toBe(false);
  });

  test("signs with the key that replaced another one in its config, without another consent", async () => {
    const before = { clientPrivateKey: toPem(generators.ES256()) };
    const { issuer, consent, created, call, ctx, deps, configId } = await startLenient(before);
    await consent(created);
    const key = generators.ES256();
    await change({ ctx, deps, configId }, { clientPrivateKey: toPem(key) });
    ctx.advance(nearExpiryMs);
    expect(await call()).toMatchObject({ person: "holder-2" });
    const assertion = issuer.requests.at(-1)?.get("client_assertion") ?? "";
    await jwtVerify(assertion, createPublicKey(key), { issuer: "wharf", audience: issuer.url });
  });

  test("that replaced the secret in its config asks for another consent once the issuer refuses the secret", async () => {
    const { issuer, consent, created, call, ctx, deps, configId, read, create } =
      await startLenient({
        clientSecret: "secret-before",
      });
    await consent(created);
    const clientPrivateKey = toPem(generators.ES256());
    await change({ ctx, deps, configId }, { clientSecret: null, clientPrivateKey });
    ctx.advance(2 * nearExpiryMs);
    issuer.next.push({ status: 401, body: { error: "invalid_client" } });
    await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
    expect(await read(created.id)).toMatchObject({ status: "Expired", error: "invalid_client" });
    expect(await create()).toMatchObject({ authorizeUrl: expect.any(String) });
  });

  test("signs with the key of its config by now when its tokens are revoked", async () => {
    const before = { clientPrivateKey: toPem(generators.ES256()) };
    const { issuer, consent, created, ctx, deps, configId } = await startLenient(before);
    await consent(created);
    const key = generators.ES256();
    await change({ ctx, deps, configId }, { clientPrivateKey: toPem(key) });
    await deleteConnection(deps, { tenantId: ctx.tenant.id, connectionId: created.id });
    expect(issuer.requests).toHaveLength(2);
    const assertion = issuer.requests.at(-1)?.get("client_assertion") ?? "";
    await jwtVerify(assertion, createPublicKey(key), { issuer: "wharf", audience: issuer.url });
  });

  test("names the endpoint as the audience if its config says so", async () => {
    const { issuer, consent, created, deps, ctx } = await startLenient({
      clientPrivateKey: toPem(generators.ES256()),
      clientAssertionAudience: "endpoint",
    });
    await consent(created);
    await deleteConnection(deps, { tenantId: ctx.tenant.id, connectionId: created.id });
    const audiences = issuer.requests.map(
      (request) => decodeJwt(request.get("client_assertion") ?? "").aud,
    );
    expect(audiences).toEqual([`${issuer.url}/token`, `${issuer.url}/token/revocation`]);
  });
});

describe("tokens that are bound to a key", () => {
  test.each([
    ["without", dpop],
    ["with", dpopWithNonce],
  ])(
    "are issued, used and refreshed by an issuer %s nonces, with the key of the connection",
    async (_, features) => {
      const { create, consent, call, ctx, received, proofs, begin } = await startWorld(
        { features },
        { dpop: true },
      );
      const created = await create();
      const { url } = await begin(created.authorizeUrl ?? "");
      expect(new URL(url).searchParams.get("dpop_jkt")).toMatch(/^[\w-]{43}$/);
      expect(await consent(created)).toEqual({ outcome: "connected" });
      expect(await call()).toMatchObject({ person: "ada" });
      ctx.advance(nearExpiryMs);
      expect(await call()).toMatchObject({ person: "ada" });
      expect(received.every((header) => header.startsWith("DPoP "))).toBe(true);
      expect(new Set(received).size).toBe(2);
      expect(proofs.received).toHaveLength(2);
    },
  );

  test("are of a client with a private key, too: it signs another assertion for the request with a nonce", async () => {
    const { issuer, create, consent, call } = await startWithKey("ES256", dpopWithNonce, {
      dpop: true,
    });
    expect(await consent(await create())).toEqual({ outcome: "connected" });
    expect(await call()).toMatchObject({ person: "ada" });
    expect(issuer.counts["/token"]).toBe(2);
  });

  test("of a client itself keep their key", async () => {
    const grant = { grant: "client_credentials", authorizationUrl: null };
    const { create, call, issuer } = await startWorld({ features: dpop }, { dpop: true, ...grant });
    expect(await create()).toMatchObject({ status: "Active" });
    await expect(call()).rejects.toMatchObject({ upstreamStatus: 401 });
    expect(issuer.counts["/token"]).toBe(2);
  });

  const connected = async () => {
    const world = await startWorld({ features: dpop }, { dpop: true });
    const { id } = await world.create();
    await world.consent(await world.read(id));
    world.issuer.counts["/token"] = 0;
    return { ...world, id };
  };

  test("are sent again with the nonce of a service, which is kept for later calls and may change", async () => {
    const { call, proofs, issuer } = await connected();
    proofs.wants.nonce = "nonce-1";
    await call();
    await call();
    proofs.wants.nonce = "nonce-2";
    await call();
    const sent = proofs.received.map(({ nonce }) => nonce);
    expect(sent).toEqual([undefined, "nonce-1", "nonce-1", "nonce-1", "nonce-2"]);
    expect(issuer.counts["/token"]).toBe(0);
  });

  test.each([
    ["not", 'DPoP error="invalid_dpop_proof"', 0],
    ["not", 'Bearer realm="a, b", DPoP error="use_dpop_nonce"', 0],
    ["once", 'Bearer realm="a, b", DPoP error="invalid_token"', 1],
    ["once", 'DPoP algs="ES256"', 1],
  ])("are %s refreshed for a call that is refused with %s", async (_, challenge, times) => {
    const { call, proofs, issuer } = await connected();
    proofs.refuses.challenge = challenge;
    await expect(call()).rejects.toMatchObject({ upstreamStatus: 401 });
    expect(issuer.counts["/token"]).toBe(times);
  });

  test("are refreshed once after a refusal, and once for all callers of several instances", async () => {
    const { call, refuse, issuer, ctx, deps, received } = await connected();
    refuse.times = 1;
    expect(await call()).toMatchObject({ person: "ada" });
    expect(issuer.counts["/token"]).toBe(1);
    const instances = [0, 1].map(() => configToolsLoader(deps));
    ctx.advance(2 * nearExpiryMs);
    await Promise.all(Array.from({ length: 6 }, (_, at) => call({}, instances[at % 2])));
    expect(issuer.counts["/token"]).toBe(2);
    expect(new Set(received).size).toBe(3);
  });

  test("take the place of bearer tokens, which are not used any more once the config asks for them", async () => {
    const world = await startWorld({ features: dpop }, {});
    const { create, consent, call, read, received } = world;
    const { id } = await create();
    await consent(await read(id));
    await call();
    await change(world, { dpop: true });
    await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
    expect(await read(id)).toMatchObject({ status: "Expired", error: "config-changed" });
    await consent(await read(id));
    expect(await call()).toMatchObject({ person: "ada" });
    expect(received.map((header) => header.split(" ")[0])).toEqual(["Bearer", "DPoP"]);
  });

  test("and their key are in nothing that the API shows, and in no stored text", async () => {
    const { id, read, ctx, call } = await connected();
    await call();
    const shown = JSON.stringify(await read(id));
    expect(shown).not.toMatch(/"kty"|"d":|proofKey/);
    const { tokens, ...stored } = (await getConnection(db, ctx.tenant.id, id)) ?? {};
    const sealed = Buffer.from(tokens?.ciphertext ?? "").toString("latin1");
    expect(sealed.length).toBeGreaterThan(100);
    expect(sealed + JSON.stringify(stored)).not.toMatch(/"kty"|"d":|proofKey/);
  });

  test("cost no more storage calls than bearer tokens", async () => {
    const count = async (
      world: Pick<Awaited<ReturnType<typeof startWorld>>, "call" | "create" | "consent">,
    ) => {
      await world.consent(await world.create());
      await world.call();
      const before = db.calls.length;
      await world.call();
      return db.calls.length - before;
    };
    const bound = await count(await startWorld({ features: dpop }, { dpop: true }));
    const bearer = await count(await startWorld({ features: dpop }, {}));
    expect(bound).toBe(bearer);
  });
});
