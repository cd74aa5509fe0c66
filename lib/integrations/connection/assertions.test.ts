import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { connectable } from "../../../test/harness/connections.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { startWrongIssuer } from "../../../test/harness/wrong-issuer.ts";

let db: TestDatabase;
let issuer: Awaited<ReturnType<typeof startWrongIssuer>>;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  issuer = await startWrongIssuer();
  onTestFinished(issuer.close);
});

const toPem = (key: KeyObject) => `${key.export({ type: "pkcs8", format: "pem" })}`;
const generateRsa = () => generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
const generateEc = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** Members of a config that has no client and no person. */
const bare = {
  ...{ grant: "jwt-bearer", authorizationUrl: null, revocationUrl: null, scopes: null },
  ...{ clientId: null, clientSecret: null },
};

const start = async (auth: object) => {
  const world = await connectable(db, issuer, { ...bare, ...auth });
  onTestFinished(world.close);
  const createdId = async () => (await world.create()).id;
  return { ...world, createdId };
};

/** Most of the life of a token of the issuer, and all of it. */
const [nearEndMs, lifeMs] = [560_000, 600_000];
const readAssertions = () => issuer.requests.map((request) => request.get("assertion") ?? "");
const refusal = { status: 400, body: { error: "invalid_grant" } };
const withoutRefresh = (name: string) => ({
  body: { access_token: name, token_type: "Bearer", expires_in: 600 },
});

describe("the grant jwt-bearer", () => {
  test("signs an assertion with the claims of a service account, without a client and a consent, and sends nothing else", async () => {
    const key = generateRsa();
    const { call, ctx } = await start({
      assertionPrivateKey: toPem(key),
      assertionKeyId: "key-1",
      assertionClaims: { iss: "robot@example.com", sub: "ada@example.com", scope: "read write" },
    });
    expect(await call()).toMatchObject({ person: "holder-1" });
    const [request] = issuer.requests;
    expect([...(request?.keys() ?? [])].toSorted()).toEqual(["assertion", "grant_type"]);
    expect(request?.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [assertion = ""] = readAssertions();
    const { payload, protectedHeader } = await jwtVerify(assertion, createPublicKey(key), {
      currentDate: new Date(ctx.clock()),
    });
    expect(protectedHeader).toEqual({ alg: "RS256", typ: "JWT", kid: "key-1" });
    const { iat = 0, exp = 0, jti, ...claims } = payload;
    expect(claims).toEqual({
      iss: "robot@example.com",
      sub: "ada@example.com",
      scope: "read write",
      aud: `${issuer.url}/token`,
    });
    expect(iat).toBe(Math.floor(ctx.clock() / 1_000));
    // Box takes less than 60 seconds, and ids from 16 characters.
    expect(exp - iat).toBe(45);
    expect(jti).toMatch(/^[\w-]{22}$/);
  });

  test("authenticates the client with its assertion, which is by its id and for the issuer or the audience of the config", async () => {
    const claims = { sub: "7", box_sub_type: "enterprise" };
    const client = {
      clientId: "ours",
      clientSecret: "a-secret",
      clientAuthentication: "post",
      issuer: issuer.url,
      scopes: ["files.read"],
    };
    const key = { ...generateEc().export({ format: "jwk" }), kid: "key-2" };
    const auth = { ...client, assertionPrivateKey: JSON.stringify(key), assertionClaims: claims };
    Object.assign(issuer.metadata, { token_endpoint: `${issuer.url}/token` });
    const { call, changeAuth } = await start(auth);
    await call();
    const [request] = issuer.requests;
    expect(Object.fromEntries(request ?? [])).toMatchObject({
      client_id: "ours",
      client_secret: "a-secret",
      scope: "files.read",
    });
    const [assertion = ""] = readAssertions();
    expect(decodeProtectedHeader(assertion)).toEqual({ alg: "ES256", typ: "JWT", kid: "key-2" });
    expect(decodeJwt(assertion)).toMatchObject({ iss: "ours", aud: issuer.url, ...claims });
    const assertionClaims = { ...claims, aud: "account.example.com" };
    await changeAuth({ ...auth, assertionClaims });
    await call();
    expect(decodeJwt(readAssertions()[1] ?? "").aud).toBe("account.example.com");
  });

  test.each([
    ["EdDSA", () => generateKeyPairSync("ed25519").privateKey],
    ["ES256", generateEc],
    ["RS256", generateRsa],
  ])("signs with %s what that verifies", async (algorithm, generate) => {
    const key = generate();
    const { call, ctx } = await start({
      assertionPrivateKey: toPem(key),
      assertionClaims: { iss: "robot" },
    });
    await call();
    const [assertion = ""] = readAssertions();
    const verified = await jwtVerify(assertion, createPublicKey(key), {
      currentDate: new Date(ctx.clock()),
      algorithms: [algorithm],
    });
    expect(verified.payload.iss).toBe("robot");
  });

  test("signs again for a request that is repeated after a failure", async () => {
    issuer.next.push({ status: 503 });
    const { call } = await start({
      assertionPrivateKey: toPem(generateEc()),
      assertionClaims: { iss: "robot" },
    });
    await call();
    const ids = readAssertions().map((assertion) => decodeJwt(assertion).jti);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });

  test("requests a token again before it expires, once for all callers, with the assertion that the config has by then", async () => {
    issuer.next.push(withoutRefresh("access-1"), withoutRefresh("access-2"));
    const { call, changeAuth, ctx } = await start({ assertion: "token.of.a-workload" });
    await call();
    await call();
    expect(readAssertions()).toEqual(["token.of.a-workload"]);
    await changeAuth({ assertion: "another.token.of-it" });
    ctx.advance(nearEndMs);
    const people = await Promise.all([call(), call(), call()]);
    expect(people.map((found) => found)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ person: "holder-2" })),
    );
    expect(readAssertions()).toEqual(["token.of.a-workload", "another.token.of-it"]);
  });

  test("requests one token after a 401, and calls once more", async () => {
    issuer.next.push(withoutRefresh("access-1"), withoutRefresh("access-2"));
    const { call, refuse, received } = await start({ assertion: "token.of.a-workload" });
    await call();
    refuse.times = 1;
    expect(await call()).toMatchObject({ person: "holder-2" });
    expect(readAssertions()).toHaveLength(2);
    expect(received).toEqual(["Bearer access-1", "Bearer access-1", "Bearer access-2"]);
  });

  test("uses a refresh token first, and an assertion where that is refused", async () => {
    const { call, ctx, read, createdId } = await start({ assertion: "token.of.a-workload" });
    const id = await createdId();
    ctx.advance(nearEndMs);
    await call();
    issuer.next.push(refusal, withoutRefresh("access-4"));
    ctx.advance(nearEndMs);
    expect(await call()).toMatchObject({ person: "holder-4" });
    ctx.advance(nearEndMs);
    await call();
    const sent = issuer.requests.map((request) => request.get("refresh_token"));
    expect(sent).toEqual([null, "refresh-1", "refresh-2", null, null]);
    expect(await read(id)).toMatchObject({ status: "Active" });
  });

  test("fails with the code of a refusal, asks no person, and tries again with the next call", async () => {
    issuer.next.push(withoutRefresh("access-1"));
    const { call, ctx, read, createdId, create } = await start({
      assertion: "token.of.a-workload",
    });
    const id = await createdId();
    issuer.next.push(refusal, refusal);
    ctx.advance(lifeMs);
    await expect(call()).rejects.toThrow(
      'refused the assertion of "Files": invalid_grant. Check whether it has expired, its iss, sub and aud, and the account.',
    );
    expect(await read(id)).toMatchObject({ status: "Failed", error: "invalid_grant" });
    issuer.next.push({ status: 400, body: { error: "unauthorized_client" } });
    await expect(create()).rejects.toMatchObject({ slug: "conflict" });
    expect(await call()).toMatchObject({ person: expect.stringMatching(/^holder-/) });
  });

  test("says after a refusal of a signed assertion what to check, without the server's own text", async () => {
    const { create, call } = await start({
      assertionPrivateKey: toPem(generateEc()),
      assertionClaims: { iss: "robot" },
    });
    const body = { error: "invalid_grant", error_description: "text-of-the-server" };
    issuer.next.push({ status: 400, body }, { status: 400, body: { error: "invalid_scope" } });
    const error = await create().catch((thrown: unknown) => thrown);
    expect(`${error}`).toContain(
      "invalid_grant. Check its key and key id, its iss, sub and aud, and the account.",
    );
    expect(`${error}`).not.toContain("text-of-the-server");
    await expect(call()).rejects.toThrow(/invalid_scope\.$/);
  });

  test("does not use the tokens of an account after the claims name another one", async () => {
    const { call, changeAuth } = await start({
      assertionPrivateKey: toPem(generateEc()),
      assertionClaims: { iss: "robot", sub: "ada" },
    });
    await call();
    await changeAuth({ assertionClaims: { iss: "robot", sub: "grace" } });
    expect(await call()).toMatchObject({ person: "holder-2" });
    expect(readAssertions().map((assertion) => decodeJwt(assertion).sub)).toEqual(["ada", "grace"]);
  });

  test("keeps no assertion and no key in an item that is not sealed, and in no message", async () => {
    issuer.next.push(refusal);
    const key = generateEc();
    const { d = "" } = key.export({ format: "jwk" });
    const [, line = ""] = toPem(key).split("\n");
    const { call } = await start({
      assertionPrivateKey: toPem(key),
      assertionClaims: { iss: "robot" },
    });
    const error = await call().catch((thrown: unknown) => thrown);
    const [assertion = ""] = readAssertions();
    const stored = JSON.stringify([await db.scan(), `${error}`]);
    for (const secret of [d, line, assertion]) expect(stored).not.toContain(secret);
  });
});
