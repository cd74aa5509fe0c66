import { createPublicKey } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CryptoKey,
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { issuerKeys } from "./issuer-keys.ts";
import { presets } from "./scopes.ts";
import { type TokenReader, tokenReader } from "./user-token.ts";

const now = Date.UTC(2026, 10, 20, 12);
const seconds = now / 1_000;
const settings = {
  issuer: "https://issuer.test",
  audience: "wharf",
  jwksUrl: "https://issuer.test/jwks",
  organizationClaim: "org_id",
  roleClaim: "role",
};
const good = {
  iss: settings.issuer,
  aud: settings.audience,
  sub: "user-1",
  email: "user@example.com",
  org_id: "acme",
  role: "Builder",
  exp: seconds + 60,
};

describe("user tokens", () => {
  let read: TokenReader;
  let privateKey: CryptoKey;
  let publicPem: string;

  beforeAll(async () => {
    const pair = await generateKeyPair("ES256");
    privateKey = pair.privateKey;
    publicPem = await exportSPKI(pair.publicKey);
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" };
    read = tokenReader(settings, createLocalJWKSet({ keys: [jwk] }));
  });

  const sign = (claims: JWTPayload, header: { alg?: string; kid?: string } = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: "one", ...header })
      .sign(privateKey);

  test("a verified address is an id of the user, by which they may be invited; another is none", async () => {
    const readUserIds = async (claims: object) =>
      (await read(await sign({ ...good, ...claims }), now)).userIds;
    expect(await readUserIds({ email_verified: true })).toEqual(["user-1", "user@example.com"]);
    for (const claims of [{ email_verified: false }, { email_verified: "true" }, {}]) {
      expect(await readUserIds(claims)).toEqual(["user-1"]);
    }
    const inCapitals = { email: "User@EXAMPLE.com", email_verified: true };
    expect(await readUserIds(inCapitals)).toEqual(["user-1", "user@example.com"]);
    // The Kelvin sign: its lower case is the letter k.
    const likeKim = { email: "\u212Aim@example.com", email_verified: true };
    expect(await readUserIds(likeKim)).toEqual(["user-1", "\u212Aim@example.com"]);
    expect(await readUserIds({ email: undefined, email_verified: true })).toEqual(["user-1"]);
  });

  test("a good token is a user with the scopes of their role", async () => {
    expect(await read(await sign(good), now)).toEqual({
      type: "User",
      id: "user-1",
      organizationId: "acme",
      scopes: presets.Builder,
      userIds: ["user-1"],
      email: "user@example.com",
      apiKey: null,
    });
  });

  test.each([
    ["another issuer", { iss: "https://evil.test" }],
    ["another audience", { aud: "other" }],
    ["not yet valid", { nbf: seconds + 60 }],
    ["no expiry", { exp: undefined }],
    ["no subject", { sub: undefined }],
    ["no organization", { org_id: undefined }],
    ["an organization that could forge a storage key", { org_id: "a#KEY#b" }],
    ["no role", { role: undefined }],
    ["an unknown role", { role: "emperor" }],
    ["a role of the wrong type", { role: ["admin"] }],
  ])("%s is refused", async (_, change) => {
    await expect(read(await sign({ ...good, ...change }), now)).rejects.toMatchObject({
      slug: "unauthenticated",
    });
  });

  test("returns credentials-expired for a token from the second of its expiry", async () => {
    const token = await sign({ ...good, exp: seconds });
    await expect(read(token, now)).rejects.toMatchObject({ slug: "credentials-expired" });
    await expect(read(token, now - 1_000)).resolves.toMatchObject({ id: "user-1" });
  });

  describe("of a resource", () => {
    const url = "https://api.test/v1/tenants/t/mcp/one";
    const scope = "mcp:invoke";
    const readAt = async (otherAudiences: readonly string[], claims: object) =>
      read(await sign({ ...good, role: "Runner", ...claims }), now, { url, otherAudiences, scope });

    test("are accepted for the resource itself and for the other audiences that it has, and for no other", async () => {
      const refused = { slug: "unauthenticated" };
      for (const aud of [url, [url], ["other", url]]) {
        expect((await readAt([], { aud })).scopes).toContain(scope);
      }
      await expect(readAt([], {})).rejects.toMatchObject(refused);
      for (const aud of ["wharf", "second"]) {
        expect((await readAt(["wharf", "second"], { aud })).scopes).toContain(scope);
      }
      await expect(readAt(["wharf", "second"], { aud: "third" })).rejects.toMatchObject(refused);
      await expect(readAt(["wharf"], { aud: `${url}/two` })).rejects.toMatchObject(refused);
    });

    test.each<[string, object, boolean]>([
      ["names the scope", { aud: url, scope: "openid mcp:invoke" }, true],
      ["names the scope in a list", { aud: url, scope: ["mcp:invoke"] }, true],
      ["names none", { aud: url }, true],
      ["names other scopes", { aud: url, scope: "openid mcp:invoked" }, false],
      ["names other scopes, of a role that has it", { aud: url, scope: "", role: "Admin" }, false],
      [
        "names the scope, of a role that runs nothing",
        { aud: url, scope, role: "Read-only" },
        false,
      ],
      ["names other scopes, and was issued for another audience", { scope: "openid" }, true],
    ])("have its scope if they were granted it: one that %s", async (_, claims, isGranted) => {
      const { scopes } = await readAt(["wharf"], claims);
      expect(scopes.includes(scope)).toBe(isGranted);
    });
  });

  test("an unsigned token is refused", async () => {
    const token = new UnsecuredJWT(good).encode();
    await expect(read(token, now)).rejects.toMatchObject({ slug: "unauthenticated" });
  });

  test("the public key used as a shared secret is refused", async () => {
    const secret = new TextEncoder().encode(publicPem);
    const token = await new SignJWT(good)
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .sign(secret);
    expect(createPublicKey(publicPem).asymmetricKeyType).toBe("ec");
    await expect(read(token, now)).rejects.toMatchObject({ slug: "unauthenticated" });
  });

  test("a signature of another key is refused", async () => {
    const other = await generateKeyPair("ES256");
    const token = await new SignJWT(good)
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .sign(other.privateKey);
    await expect(read(token, now)).rejects.toMatchObject({ slug: "unauthenticated" });
  });

  test("text that is no token at all is refused", async () => {
    for (const text of ["", "a", "a.b.c", "..", "a".repeat(10_000)]) {
      await expect(read(text, now)).rejects.toMatchObject({ slug: "unauthenticated" });
    }
  });

  test("an unreachable issuer, or one with an invalid response, is 503 and not 401", async () => {
    const unreachable = tokenReader(settings, issuerKeys("http://127.0.0.1:1/jwks"));
    const token = await sign(good);
    await expect(unreachable(token, now)).rejects.toMatchObject({ slug: "service-unavailable" });
    const server = createServer((_, response) => response.writeHead(500).end("oops"));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address() as AddressInfo;
    const broken = tokenReader(settings, issuerKeys(`http://127.0.0.1:${address.port}/jwks`));
    await expect(broken(token, now)).rejects.toMatchObject({ slug: "service-unavailable" });
    server.close();
  });
});
