import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { decodeJwt } from "jose";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { connectable } from "../../../test/harness/connections.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { startWrongIssuer } from "../../../test/harness/wrong-issuer.ts";
import { ConsentRequired } from "../../engine/tools/tool.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { configToolsLoader } from "../tools/config-tools.ts";
import { deleteConnection } from "./delete-connection.ts";
import { refreshNow } from "./refresh-now.ts";
import { getConnection } from "./store.ts";

let db: TestDatabase;
let issuer: Awaited<ReturnType<typeof startWrongIssuer>>;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  issuer = await startWrongIssuer();
  onTestFinished(issuer.close);
});

const start = async (auth: object = {}, responseMs = 1_500) => {
  const world = await connectable(db, issuer, auth, testTenant(db), responseMs);
  onTestFinished(world.close);
  const created = await world.create();
  return { ...world, created, status: () => world.read(created.id) };
};
/** With a client that has a private key. */
const startWithKey = () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const clientPrivateKey = `${privateKey.export({ type: "pkcs8", format: "pem" })}`;
  return start({ clientSecret: null, clientPrivateKey, issuer: issuer.url });
};
type World = Awaited<ReturnType<typeof start>>;

const connected = async () => {
  const world = await start();
  expect(await world.consent(world.created)).toEqual({ outcome: "connected" });
  return world;
};
/** The last minute of the life of an access token, and after its end. */
const nearEnd = ({ ctx }: World) => ctx.advance(560_000);
const afterEnd = ({ ctx }: World) => ctx.advance(700_000);

/** Time for a response that never comes. */
const shortMs = 100;
const callInShort = ({ call, deps }: World) =>
  call({}, configToolsLoader({ ...deps, responseMs: shortMs }));

/** Refreshes to a token of another type, which is not sent to the API. */
const expectUnsupported = async ({ call, status, received }: World) => {
  const calls = received.length;
  await expect(call()).rejects.toBeInstanceOf(ConsentRequired);
  const error = "unsupported-token-type";
  expect(await status()).toMatchObject({ status: "Expired", error });
  expect(received).toHaveLength(calls);
};

/** Refreshes by a function that dies between the response and the write; its lease is over afterwards. */
const dieBeforeWrite = async ({ call, deps, ctx }: World) => {
  const isIssued = Promise.withResolvers<void>();
  const seal = () => {
    isIssued.resolve();
    return new Promise<never>(() => {});
  };
  void call({}, configToolsLoader({ ...deps, sealer: { ...deps.sealer, seal } }));
  await isIssued.promise;
  ctx.advance(31_000);
};
/** Refreshes without a response. */
const waitInVain = async (world: World) => {
  issuer.next.push("hang");
  await expect(callInShort(world)).rejects.toMatchObject({ timedOut: true });
};
/** Lets the next refresh get a response of 503, after which it is repeated. */
const getServerError = async () => {
  issuer.next.push({ status: 503, body: "" });
};

/** Behaviour of an authorization server, the outcome, and its test. */
const matrix: readonly (readonly [string, string, () => Promise<void>])[] = [
  [
    "sends no refresh token",
    "The connection works until its access token expires, or is refused. Then it is `Expired`, and executions wait for consent.",
    async () => {
      const world = await start();
      issuer.next.push({
        body: { access_token: "access-1", token_type: "Bearer", expires_in: 600 },
      });
      await world.consent(world.created);
      nearEnd(world);
      expect(await world.call()).toMatchObject({ person: "holder-1" });
      expect(await world.status()).toMatchObject({ status: "Active", error: null });
      afterEnd(world);
      await expect(world.call()).rejects.toBeInstanceOf(ConsentRequired);
      expect(await world.status()).toMatchObject({ status: "Expired", error: "expired" });
      expect(issuer.requests).toHaveLength(1);
      const other = await start();
      issuer.next.push({ body: { access_token: "access-2", token_type: "Bearer" } });
      await other.consent(other.created);
      other.refuse.times = 1;
      await expect(other.call()).rejects.toBeInstanceOf(ConsentRequired);
      expect(await other.status()).toMatchObject({ status: "Expired", error: "expired" });
      expect(issuer.requests).toHaveLength(2);
    },
  ],
  [
    "does not say when a token expires",
    "The token is used until it is refused with 401, and then refreshed once.",
    async () => {
      const world = await start();
      issuer.next.push({
        body: { access_token: "access-1", token_type: "Bearer", refresh_token: "r" },
      });
      await world.consent(world.created);
      afterEnd(world);
      expect(await world.call()).toMatchObject({ person: "holder-1" });
      world.refuse.times = 1;
      expect(await world.call()).toMatchObject({ person: "holder-2" });
      expect(issuer.requests).toHaveLength(2);
    },
  ],
  [
    "rotates refresh tokens, and ends the grant when an old one is used again",
    "A rotated token is stored before the new access token is used, and one caller refreshes for all. A response that is lost, by a crash before the write, by a timeout or by a 5xx after the rotation, costs a consent: the connection is `Expired` (`invalid_grant`).",
    async () => {
      issuer.rotation.isStrict = true;
      const world = await connected();
      for (const turn of [2, 3]) {
        nearEnd(world);
        expect(await world.call()).toMatchObject({ person: `holder-${turn}` });
      }
      const used = issuer.requests.map((request) => request.get("refresh_token"));
      expect(used).toEqual([null, "refresh-1", "refresh-2"]);
      expect(issuer.rotation.reuses).toBe(0);
      for (const [at, lose] of [dieBeforeWrite, waitInVain, getServerError].entries()) {
        const lost = await connected();
        afterEnd(lost);
        await lose(lost);
        await expect(lost.call()).rejects.toBeInstanceOf(ConsentRequired);
        expect(await lost.status()).toMatchObject({ status: "Expired", error: "invalid_grant" });
        expect(issuer.rotation.reuses).toBe(at + 1);
        await lost.consent(await lost.create());
        expect(await lost.call()).toMatchObject({ person: expect.stringMatching("holder") });
      }
    },
  ],
  [
    "keeps the refresh token at a refresh",
    "The stored one is used again.",
    async () => {
      const world = await connected();
      nearEnd(world);
      issuer.next.push({
        body: { access_token: "access-2", token_type: "Bearer", expires_in: 600 },
      });
      await world.call();
      nearEnd(world);
      await world.call();
      expect(issuer.requests.at(-1)?.get("refresh_token")).toBe("refresh-1");
    },
  ],
  [
    "does not return a scope that was asked for, such as `offline_access`",
    "`scopes` of the connection does not have it. A consent for more scopes asks for it again.",
    async () => {
      const world = await start({ scopes: ["files.read", "offline_access"] });
      const token = { access_token: "access-1", token_type: "Bearer", refresh_token: "r" };
      issuer.next.push({ body: { ...token, scope: "files.read" } });
      await world.consent(world.created);
      expect(await world.status()).toMatchObject({ status: "Active", scopes: ["files.read"] });
      const wider = await world.create({ scopes: ["files.write"] });
      const { url } = await world.begin(wider.authorizeUrl ?? "");
      const asked = new URL(url).searchParams.get("scope");
      expect(asked).toBe("files.read offline_access files.write");
    },
  ],
  [
    "has a wrong clock",
    "Nothing without a private key or DPoP: expiry is a duration from when the response came, and identity tokens are not read.",
    async () => {
      const world = await start();
      const claims = Buffer.from('{"iss":"x","exp":1,"iat":99999999999}').toString("base64url");
      issuer.next.push({
        body: {
          access_token: "access-1",
          token_type: "Bearer",
          expires_in: 600,
          id_token: `e30.${claims}.x`,
        },
      });
      expect(await world.consent(world.created)).toEqual({ outcome: "connected" });
      expect(await world.call()).toMatchObject({ person: "holder-1" });
    },
  ],
  [
    "responds with another `iss` than its own",
    "The code is not exchanged. The connection is `Failed` (`iss-mismatch`).",
    async () => {
      const world = await start();
      issuer.authorization.iss = "https://other.example.com";
      const end = await world.consent(world.created);
      expect(end).toEqual({ outcome: "failed", code: "iss-mismatch" });
      expect(issuer.requests).toHaveLength(0);
      expect(await world.status()).toMatchObject({ status: "Failed", error: "iss-mismatch" });
    },
  ],
  [
    "responds to the token request too late (10 s)",
    "A consent ends as `Failed` (`upstream-timeout`). A refresh is given up, and tried again after 30 seconds: the token is used as long as it is valid. Then calls try it, and fail with `upstream-timeout`. The connection stays `Active`.",
    async () => {
      const world = await connected();
      nearEnd(world);
      issuer.next.push("hang", "hang", "hang");
      expect(await callInShort(world)).toMatchObject({ person: "holder-1" });
      expect(await world.call()).toMatchObject({ person: "holder-1" });
      expect(issuer.requests).toHaveLength(2);
      world.ctx.advance(30_000);
      expect(await callInShort(world)).toMatchObject({ person: "holder-1" });
      expect(issuer.requests).toHaveLength(3);
      afterEnd(world);
      await expect(callInShort(world)).rejects.toMatchObject({ timedOut: true });
      expect(await world.status()).toMatchObject({ status: "Active" });
      expect(await world.call()).toMatchObject({ person: expect.stringContaining("holder-") });
      const other = await start({}, shortMs);
      issuer.next.push("hang");
      const end = await other.consent(other.created);
      expect(end).toEqual({ outcome: "failed", code: "upstream-timeout" });
    },
  ],
  [
    "says that the consent was revoked",
    "The connection is `Expired` (`invalid_grant`), its tokens are deleted, and executions wait for consent.",
    async () => {
      const world = await connected();
      afterEnd(world);
      issuer.next.push({ status: 400, body: { error: "invalid_grant" } });
      await expect(world.call()).rejects.toBeInstanceOf(ConsentRequired);
      expect(await world.status()).toMatchObject({ status: "Expired", error: "invalid_grant" });
      const item = await getConnection(db, world.ctx.tenant.id, world.created.id);
      expect(item?.tokens).toBeUndefined();
      await world.consent(await world.create());
      expect(await world.call()).toMatchObject({ person: "holder-3" });
    },
  ],
  [
    "responds with another content type than JSON",
    "A consent ends as `Failed` (`upstream-failed`). A refresh fails as one that is too late does; the connection stays `Active`.",
    async () => {
      const world = await connected();
      afterEnd(world);
      issuer.next.push({ type: "text/html", body: "<p>Maintenance</p>" });
      await expect(world.call()).rejects.toMatchObject({ name: "UpstreamError" });
      expect(await world.status()).toMatchObject({ status: "Active" });
      const other = await start();
      issuer.next.push({ type: "text/html", body: "<p>Maintenance</p>" });
      const end = await other.consent(other.created);
      expect(end).toEqual({ outcome: "failed", code: "upstream-failed" });
    },
  ],
  [
    "responds with 500, once",
    "The request is repeated once, and succeeds. After a second 500 a refresh fails as one that is too late does.",
    async () => {
      const world = await start();
      issuer.next.push({ status: 500, body: "" });
      expect(await world.consent(world.created)).toEqual({ outcome: "connected" });
      afterEnd(world);
      issuer.next.push({ status: 500, body: "" }, { status: 503, body: "" });
      await expect(world.call()).rejects.toMatchObject({ upstreamStatus: 503 });
      expect(await world.status()).toMatchObject({ status: "Active" });
    },
  ],
  [
    "is busy, with status 429 or the error `temporarily_unavailable`, `server_error` or `slow_down`",
    "A consent ends as `Failed` (`upstream-failed`). A refresh fails as one that is too late does; the connection stays `Active`.",
    async () => {
      const world = await connected();
      afterEnd(world);
      for (const [status, error] of [
        [429, "invalid_request"],
        [400, "temporarily_unavailable"],
        [400, "server_error"],
        [400, "slow_down"],
      ] as const) {
        issuer.next.push({ status, body: { error } });
        await expect(world.call()).rejects.toMatchObject({ upstreamStatus: status });
        expect(await world.status()).toMatchObject({ status: "Active" });
      }
      expect(await world.call()).toMatchObject({ person: "holder-6" });
      const other = await start();
      issuer.next.push({ status: 429, body: { error: "slow_down" } });
      const end = await other.consent(other.created);
      expect(end).toEqual({ outcome: "failed", code: "upstream-failed" });
    },
  ],
  [
    "issues tokens for longer than ten years",
    "The connection expires after ten years.",
    async () => {
      const world = await start();
      issuer.next.push({
        body: { access_token: "access-1", token_type: "Bearer", expires_in: 1e300 },
      });
      expect(await world.consent(world.created)).toEqual({ outcome: "connected" });
      const { expiresAt } = await world.status();
      expect(expiresAt).toBe(world.ctx.clock() + 10 * 365 * 86_400_000);
    },
  ],
  [
    "responds with an error and status 200",
    "As with status 400: a consent is `Failed`, a refresh makes the connection `Expired`.",
    async () => {
      const world = await start();
      issuer.next.push({ body: { error: "bad_verification_code" } });
      const end = await world.consent(world.created);
      expect(end).toEqual({ outcome: "failed", code: "bad_verification_code" });
      expect(await world.status()).toMatchObject({ status: "Failed" });
      await world.consent(await world.status());
      afterEnd(world);
      issuer.next.push({ body: { error: "bad_refresh_token" } });
      await expect(world.call()).rejects.toBeInstanceOf(ConsentRequired);
      expect(await world.status()).toMatchObject({
        status: "Expired",
        error: "bad_refresh_token",
      });
    },
  ],
  [
    "issues tokens of another type than Bearer",
    "A consent ends as `Failed`; a refresh makes the connection `Expired`. The token is not used.",
    async () => {
      const world = await start();
      const other = { body: { access_token: "a", token_type: "DPoP", expires_in: 600 } };
      issuer.next.push(other);
      const end = await world.consent(world.created);
      expect(end).toEqual({ outcome: "failed", code: "unsupported-token-type" });
      expect(await world.status()).toMatchObject({ status: "Failed" });
      await world.consent(await world.status());
      afterEnd(world);
      issuer.next.push(other);
      await expectUnsupported(world);
    },
  ],
  [
    "issues a Bearer token for a key (DPoP)",
    "A consent ends as `Failed`; a refresh makes the connection `Expired`. The token is not used.",
    async () => {
      const world = await start({ dpop: true });
      const end = await world.consent(world.created);
      expect(end).toEqual({ outcome: "failed", code: "unsupported-token-type" });
      expect(await world.status()).toMatchObject({ status: "Failed" });
      const token = { access_token: "access-2", token_type: "DPoP", expires_in: 600 };
      issuer.next.push({ body: { ...token, refresh_token: "r" } });
      expect(await world.consent(await world.status())).toEqual({ outcome: "connected" });
      afterEnd(world);
      await expectUnsupported(world);
    },
  ],
  [
    "does not bind tokens to keys, according to its metadata",
    "With `dpop` no consent begins and no token is requested: the error says so.",
    async () => {
      const world = await start({ dpop: true, issuer: issuer.url });
      await expect(world.begin(world.created.authorizeUrl ?? "")).rejects.toThrow(
        "does not support DPoP with ES256",
      );
      expect(issuer.requests).toEqual([]);
    },
  ],
  [
    "wants a nonce in a proof (DPoP), or another one than before",
    "The request is sent once more with it. If that is refused, too, a consent ends as `Failed` (`upstream-failed`), and a refresh fails as one that is too late does; the connection stays `Active`.",
    async () => {
      const world = await start({ dpop: true });
      const wantsNonce = (nonce: string) => ({
        status: 400,
        body: { error: "use_dpop_nonce" },
        nonce,
      });
      const token = { access_token: "access-2", token_type: "DPoP", expires_in: 600 };
      const bound = { ...token, refresh_token: "r" };
      issuer.next.push(wantsNonce("nonce-1"), { body: bound });
      expect(await world.consent(world.created)).toEqual({ outcome: "connected" });
      expect(issuer.proofs.map((proof) => decodeJwt(proof ?? "").nonce)).toEqual([
        undefined,
        "nonce-1",
      ]);
      afterEnd(world);
      issuer.next.push(wantsNonce("nonce-2"), wantsNonce("nonce-3"));
      await expect(world.call()).rejects.toBeInstanceOf(UpstreamError);
      expect(await world.status()).toMatchObject({ status: "Active" });
      expect(issuer.proofs).toHaveLength(4);
      const other = await start({ dpop: true });
      issuer.next.push(wantsNonce("nonce-1"), wantsNonce("nonce-2"));
      const end = await other.consent(other.created);
      expect(end).toEqual({ outcome: "failed", code: "upstream-failed" });
      expect(await other.status()).toMatchObject({ status: "Failed", error: "upstream-failed" });
      expect(issuer.proofs).toHaveLength(6);
    },
  ],
  [
    "has a wrong clock, and refuses proofs (DPoP) for it",
    "The request fails: a consent ends as `Failed` (`upstream-failed`), and a refresh fails as one that is too late does; the connection stays `Active`. An issuer that wants nonces compares no clocks.",
    async () => {
      const world = await start({ dpop: true });
      const refusal = { status: 400, body: { error: "invalid_dpop_proof" } };
      issuer.next.push(refusal);
      const end = await world.consent(world.created);
      expect(end).toEqual({ outcome: "failed", code: "upstream-failed" });
      const token = { access_token: "access-2", token_type: "DPoP", expires_in: 600 };
      issuer.next.push({ body: { ...token, refresh_token: "r" } });
      await world.consent(await world.status());
      afterEnd(world);
      issuer.next.push(refusal);
      await expect(world.call()).rejects.toThrow("refused the proof");
      expect(await world.status()).toMatchObject({ status: "Active" });
    },
  ],
  [
    "does not know the client of the config, or its secret (`invalid_client`, `unauthorized_client`)",
    "A consent ends as `Failed`. A refresh fails, and its error names the client, for as long as the config is not mended. The connection stays `Active`: its token is used as long as it is valid, and no consent is needed afterwards.",
    async () => {
      for (const error of ["invalid_client", "unauthorized_client"]) {
        const world = await start();
        const refusal = { status: 401, body: { error } };
        issuer.next.push(refusal);
        const end = await world.consent(world.created);
        expect(end).toEqual({ outcome: "failed", code: error });
        await world.consent(await world.status());
        nearEnd(world);
        issuer.next.push(refusal);
        const asked = issuer.requests.length + 1;
        for (const _ of [1, 2]) {
          expect(await world.call()).toMatchObject({ person: expect.stringMatching("holder") });
        }
        expect(issuer.requests).toHaveLength(asked);
        afterEnd(world);
        issuer.next.push(refusal, refusal);
        await expect(world.call()).rejects.toThrow(`refused the client of "Files": ${error}`);
        const { tenant } = world.ctx;
        const signal = AbortSignal.timeout(10_000);
        const input = { tenantId: tenant.id, connectionId: world.created.id, signal };
        await expect(refreshNow(world.deps, input)).rejects.toMatchObject({
          slug: "upstream-failed",
          message: expect.stringContaining("refused the client"),
        });
        expect(await world.status()).toMatchObject({ status: "Active" });
        expect(await world.call()).toMatchObject({ person: expect.stringMatching("holder") });
      }
    },
  ],
  [
    "does not know the private key of the client, or has a clock that differs by more than a minute",
    "As with a wrong secret: a consent ends as `Failed` (`invalid_client`), a refresh fails, and the connection stays `Active`.",
    async () => {
      const world = await startWithKey();
      const refusal = { status: 401, body: { error: "invalid_client" } };
      issuer.next.push(refusal);
      const end = await world.consent(world.created);
      expect(end).toEqual({ outcome: "failed", code: "invalid_client" });
      await world.consent(await world.status());
      afterEnd(world);
      issuer.next.push(refusal);
      await expect(world.call()).rejects.toThrow("refused the client of");
      expect(await world.status()).toMatchObject({ status: "Active" });
    },
  ],
  [
    "refuses an assertion, such as one that has expired",
    "The call fails with the code, and the connection is `Failed` (`invalid_grant`). The next call requests a token again.",
    async () => {
      const grant = { grant: "jwt-bearer", assertion: "token.of.a-workload" };
      const world = await start({ ...grant, authorizationUrl: null });
      expect(await world.status()).toMatchObject({ status: "Active" });
      const refusal = { status: 400, body: { error: "invalid_grant" } };
      // Of the refresh token, and of the assertion.
      issuer.next.push(refusal, refusal, refusal);
      afterEnd(world);
      await expect(world.call()).rejects.toThrow("refused the assertion of");
      expect(await world.status()).toMatchObject({ status: "Failed", error: "invalid_grant" });
      expect(await world.call()).toMatchObject({ person: "holder-5" });
      issuer.next.push(refusal, refusal);
      const { tenant } = world.ctx;
      const signal = AbortSignal.timeout(10_000);
      const input = { tenantId: tenant.id, connectionId: world.created.id, signal };
      expect(await refreshNow(world.deps, input)).toMatchObject({ status: "Failed" });
      expect(await world.status()).toMatchObject({
        status: "Failed",
        error: "invalid_grant",
        authorizeUrl: null,
      });
      expect(await world.call()).toMatchObject({ person: "holder-8" });
    },
  ],
  [
    "does not take the algorithm of the client's private key, according to its metadata",
    "No consent begins and no token is requested: the error names the algorithm.",
    async () => {
      issuer.metadata.token_endpoint_auth_signing_alg_values_supported = ["RS256"];
      const world = await startWithKey();
      await expect(world.begin(world.created.authorizeUrl ?? "")).rejects.toThrow(
        "takes no assertions that are signed with ES256",
      );
      expect(issuer.requests).toEqual([]);
    },
  ],
  [
    "redirects the token request",
    "The redirect is not followed: the code and the secret of the client are sent to the configured address alone.",
    async () => {
      const world = await start();
      issuer.next.push({ status: 307, body: "" });
      const end = await world.consent(world.created);
      expect(end).toEqual({ outcome: "failed", code: "upstream-failed" });
      expect(issuer.requests).toHaveLength(1);
    },
  ],
  [
    "sends a person back who gave no consent",
    "The connection is `Failed` (`access_denied`). The link can be opened again.",
    async () => {
      const world = await start();
      issuer.authorization.error = "access_denied";
      expect(await world.consent(world.created)).toEqual({ outcome: "denied" });
      expect(await world.status()).toMatchObject({ status: "Failed", error: "access_denied" });
      delete issuer.authorization.error;
      const again = await world.status();
      expect(await world.consent(again)).toEqual({ outcome: "connected" });
    },
  ],
  [
    "refuses to revoke tokens",
    "As one that cannot be reached: the first `DELETE` is 502, the connection is `Revoked` and not used. A second `DELETE` deletes it.",
    async () => {
      const world = await connected();
      const refusal = { status: 401, body: { error: "invalid_client" } };
      issuer.next.push(refusal, refusal);
      const input = { tenantId: world.ctx.tenant.id, connectionId: world.created.id };
      await expect(deleteConnection(world.deps, input)).rejects.toMatchObject({
        slug: "upstream-failed",
        message: expect.stringContaining("refused to revoke the tokens"),
      });
      expect(await world.status()).toMatchObject({ status: "Revoked" });
      await deleteConnection(world.deps, input);
      await expect(world.status()).rejects.toMatchObject({ slug: "not-found" });
    },
  ],
  [
    "responds to a refresh after the connection was deleted",
    "The new tokens are revoked, too.",
    async () => {
      const world = await connected();
      afterEnd(world);
      const input = { tenantId: world.ctx.tenant.id, connectionId: world.created.id };
      issuer.next.push({ before: () => deleteConnection(world.deps, input) });
      await expect(world.call()).rejects.toBeInstanceOf(ConsentRequired);
      const revoked = issuer.requests.flatMap((request) => request.get("token") ?? []);
      expect(revoked).toEqual(["refresh-1", "refresh-2"]);
    },
  ],
];

describe("an authorization server that", () => {
  test.each(matrix)("%s", async (_, __, run) => run());
});

test("a token that expires while its refresh fails is not used", async () => {
  const world = await connected();
  nearEnd(world);
  const before = async () => world.ctx.advance(60_000);
  issuer.next.push({ status: 500, before }, { status: 500 });
  await expect(world.call()).rejects.toMatchObject({ upstreamStatus: 500 });
});

test("callers that wait for a refresh that fails use the valid token, and do not try it after one another", async () => {
  const world = await connected();
  nearEnd(world);
  issuer.next.push({ status: 429, body: { error: "slow_down" } });
  const people = await Promise.all([1, 2, 3, 4].map(() => world.call()));
  for (const found of people) expect(found).toMatchObject({ person: "holder-1" });
  expect(issuer.requests).toHaveLength(2);
});

test("a refresh that failed is tried again before the token cannot be used, also within 30 seconds", async () => {
  const world = await connected();
  world.ctx.advance(580_000);
  issuer.next.push({ status: 429, body: { error: "slow_down" } });
  expect(await world.call()).toMatchObject({ person: "holder-1" });
  world.ctx.advance(14_999);
  expect(await world.call()).toMatchObject({ person: "holder-1" });
  world.ctx.advance(1);
  expect(await world.call()).toMatchObject({ person: "holder-3" });
});

/** Rows of the same table that other files test, by the names of those tests. */
const testedElsewhere: readonly (readonly [
  string,
  string,
  Readonly<Record<string, readonly string[]>>,
])[] = [
  [
    "has no metadata (404)",
    "The `issuer` of an `mcp` config has default addresses, if it has no path. Otherwise no consent begins and no token is requested: set `authorizationUrl` and `tokenUrl`, which are then used with the `issuer`.",
    {
      "mcp-discovery.test.ts": [
        "is connected by the default addresses at the origin of the issuer that its config names, if that has no metadata",
        "has no default addresses at an issuer with a path, which shares its origin with others",
      ],
      "identity.test.ts": [
        "names the members that replace the metadata of an identity provider without it",
        "is connected by the addresses of the config where its issuers have no metadata",
      ],
    },
  ],
  [
    "responds to requests of its metadata with another status, or with another document",
    "No consent begins and no token is requested. No addresses are guessed.",
    {
      "mcp-discovery.test.ts": [
        "has no default addresses if the metadata of its issuer has status %i",
        "has no default addresses at an issuer that fails, or that only the server names",
        "names an issuer that is another one",
      ],
    },
  ],
  [
    "does not know a client that it registered, or that is a metadata document",
    "A refresh makes the connection `Expired` (`invalid_client`). The next consent registers another client, or names the document again.",
    {
      "mcp-discovery.test.ts": [
        "registers another client after its issuer has forgotten the one before",
        "names its client id metadata document again after its issuer refused the client",
      ],
    },
  ],
  [
    "is an identity provider that sends no ID token",
    "The sign-in ends as `Failed` (`no-id-token`).",
    { "identity.test.ts": ["without an ID token"] },
  ],
  [
    "is an identity provider that refuses to exchange the ID token",
    "A sign-in ends as `Failed` (such as `invalid_target`). A refresh makes the connection `Expired`.",
    {
      "identity.test.ts": [
        "without a permission of the company",
        "works without offline access as long as the identity provider takes the ID token",
      ],
    },
  ],
  [
    "is an identity provider that rotates refresh tokens, and fails at the exchange",
    "The rotated token is kept: the next refresh uses it. The connection stays `Active`.",
    {
      "identity.test.ts": [
        "keeps a rotated refresh token of the identity provider when the exchange after it fails",
      ],
    },
  ],
];

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("docs/connections.md has a row for each tested behaviour, and no other, with what happens", () => {
  const [, section = ""] = read("../../../docs/connections.md").split(
    "\n## Wrong authorization servers\n",
  );
  const [table = ""] = section.split("\n## ");
  const [, , ...rows] = table.split("\n").filter((line) => line.startsWith("| "));
  const written = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  const tested = [...matrix, ...testedElsewhere].map(([server, outcome]) => [server, outcome]);
  expect(written.map(([, ...cells]) => cells.slice(0, 2)).toSorted()).toEqual(tested.toSorted());
});

test("the rows that other files test name tests which exist", () => {
  const named = testedElsewhere.flatMap(([, , files]) => Object.entries(files));
  for (const [file, titles] of named) {
    const source = read(file);
    for (const title of titles) expect(source).toContain(`"${title}"`);
  }
});
