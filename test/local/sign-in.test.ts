import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadIssuerKey, toJwks } from "../../infra/local/issuer.ts";
import { createGrants } from "../../infra/local/sign-in/grants.ts";
import { createSignIn } from "../../infra/local/sign-in/sign-in.ts";
import { removeFolders, temporaryFolder } from "./fixture-stack.ts";

let now = Date.now();
const key = await loadIssuerKey(join(temporaryFolder(), "issuer-key.json"));
const handle = createSignIn(
  key,
  createGrants(() => now),
);
const server = createServer((request, response) => {
  if (!handle(request, response)) response.writeHead(404).end("of the API");
});
let origin = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port }: Pick<AddressInfo, "port"> = Object(server.address());
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.close();
  removeFolders();
});

const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");

const authorizationRequest = (changes: Record<string, string | undefined> = {}) => {
  const parameters = {
    client_id: "wharf-console",
    redirect_uri: `${origin}/console/sign-in`,
    response_type: "code",
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "state-1",
    nonce: "nonce-1",
    ...changes,
  };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) given.set(name, value);
  }
  return given;
};
const open = (changes?: Record<string, string | undefined>) =>
  fetch(`${origin}/oauth2/authorize?${authorizationRequest(changes)}`, { redirect: "manual" });
const post = (path: string, body: URLSearchParams, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, { method: "POST", body, headers, redirect: "manual" });
const submit = (form: Record<string, string>, changes?: Record<string, string | undefined>) => {
  const body = authorizationRequest(changes);
  for (const [name, value] of Object.entries(form)) body.set(name, value);
  return post("/oauth2/authorize", body);
};
const signIn = async (): Promise<string> => {
  const response = await submit({ user: "ada@example.com", role: "builder" });
  return new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
};
const exchange = async (changes: Record<string, string> = {}) => {
  const response = await post(
    "/oauth2/token",
    new URLSearchParams({
      grant_type: "authorization_code",
      client_id: "wharf-console",
      redirect_uri: `${origin}/console/sign-in`,
      code_verifier: verifier,
      ...changes,
    }),
  );
  return { status: response.status, body: Object(await response.json()) };
};
const refresh = (token: string, clientId = "wharf-console") =>
  exchange({ grant_type: "refresh_token", refresh_token: token, client_id: clientId });

test("the metadata names the origin and the endpoints of the authorization code flow", async () => {
  const response = await fetch(`${origin}/.well-known/openid-configuration`);
  await expect(response.json()).resolves.toMatchObject({
    issuer: origin,
    authorization_endpoint: `${origin}/oauth2/authorize`,
    token_endpoint: `${origin}/oauth2/token`,
    end_session_endpoint: `${origin}/oauth2/logout`,
    code_challenge_methods_supported: ["S256"],
  });
});

test("a sign-in returns a user token of the chosen role, and an ID token for the client", async () => {
  const page = await open();
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(await page.text()).toContain('<button type="submit">Sign in</button>');

  const accepted = await submit({ user: "ada@example.com", role: "builder" });
  const location = new URL(accepted.headers.get("location") ?? "");
  expect(location.pathname).toBe("/console/sign-in");
  expect(location.searchParams.get("state")).toBe("state-1");

  const { status, body } = await exchange({ code: location.searchParams.get("code") ?? "" });
  expect(status).toBe(200);
  const keys = createLocalJWKSet(toJwks(key));
  const user = await jwtVerify(body.access_token, keys, {
    issuer: "https://local.wharf.invalid",
    audience: "wharf",
  });
  expect(user.payload).toMatchObject({
    sub: "ada@example.com",
    role: "builder",
    org_id: "local",
  });
  const id = await jwtVerify(body.id_token, keys, { issuer: origin, audience: "wharf-console" });
  expect(id.payload).toMatchObject({ nonce: "nonce-1", email: "ada@example.com" });
});

test("a code works once; using it again ends the session that it started", async () => {
  const code = await signIn();
  const { body } = await exchange({ code });
  await expect(exchange({ code })).resolves.toMatchObject({ body: { error: "invalid_grant" } });
  await expect(refresh(body.refresh_token)).resolves.toMatchObject({ status: 400 });
});

test("a code is refused with another verifier, client or address, and after a minute", async () => {
  const refused = { status: 400, body: { error: "invalid_grant" } };
  const wrong: Record<string, string>[] = [
    { code_verifier: "x".repeat(43) },
    { client_id: "wharf-cli" },
    { redirect_uri: `${origin}/console/other` },
  ];
  for (const changes of wrong) {
    const code = await signIn();
    await expect(exchange({ code, ...changes })).resolves.toMatchObject(refused);
    await expect(exchange({ code })).resolves.toMatchObject(refused);
  }
  const code = await signIn();
  now += 60_000;
  await expect(exchange({ code })).resolves.toMatchObject(refused);
});

test("a refresh token works once and only for its client; a sign-out ends its session", async () => {
  const first = (await exchange({ code: await signIn() })).body;
  await expect(refresh(first.refresh_token, "wharf-cli")).resolves.toMatchObject({ status: 400 });
  const second = await refresh(first.refresh_token);
  expect(second.status).toBe(200);
  expect(decodeJwt(second.body.access_token)).toMatchObject({ role: "builder" });
  const hint = new URLSearchParams({
    id_token_hint: second.body.id_token,
    post_logout_redirect_uri: `${origin}/console/`,
  });
  const signedOut = await fetch(`${origin}/oauth2/logout?${hint}`, { redirect: "manual" });
  expect(signedOut.headers.get("location")).toBe(`${origin}/console/`);
  await expect(refresh(second.body.refresh_token)).resolves.toMatchObject({ status: 400 });
});

test("a refresh token that is used again ends the whole session", async () => {
  const first = (await exchange({ code: await signIn() })).body;
  const second = (await refresh(first.refresh_token)).body;
  await expect(refresh(first.refresh_token)).resolves.toMatchObject({ status: 400 });
  await expect(refresh(second.refresh_token)).resolves.toMatchObject({ status: 400 });
});

test("only the console's address and loopback addresses of programs get a code", async () => {
  for (const redirect of [
    "https://evil.example/console/sign-in",
    `${"http://127.0.0.1.evil.example"}/console/sign-in`,
    "http://127.0.0.1:1/console/sign-in",
  ]) {
    const response = await open({ redirect_uri: redirect });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    const form = { user: "ada@example.com", role: "admin" };
    const submitted = await submit(form, { redirect_uri: redirect });
    expect([submitted.status, submitted.headers.get("location")]).toEqual([400, null]);
  }
  const cli = { client_id: "wharf-cli", redirect_uri: "http://127.0.0.1:49152/callback" };
  expect((await open(cli)).status).toBe(200);
  expect((await open({ ...cli, redirect_uri: "https://example.com/callback" })).status).toBe(400);
  expect((await open({ client_id: "other" })).status).toBe(400);
});

test("a request without PKCE S256 is refused with an error to the client", async () => {
  for (const changes of [
    { code_challenge: undefined },
    { code_challenge_method: undefined },
    { code_challenge_method: "plain" },
  ]) {
    const location = new URL((await open(changes)).headers.get("location") ?? "");
    expect(location.searchParams.get("error")).toBe("invalid_request");
    expect(location.searchParams.get("state")).toBe("state-1");
  }
});

test("a form with an invalid address or role is shown again and returns no code", async () => {
  for (const form of [
    { user: "nobody", role: "admin" },
    { user: "ada@example.com", role: "root" },
  ]) {
    const response = await submit(form);
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(await response.text()).toContain('role="alert"');
  }
  const hostile = await submit({ user: '"><script>alert(1)</script>', role: "admin" });
  expect(await hostile.text()).not.toContain("<script>");
});

test("a host name that another site could point to this machine is refused; other paths are the API's", async () => {
  const { port } = new URL(origin);
  const headers = { Host: "evil.example" };
  const sent = get({ host: "127.0.0.1", port, path: "/oauth2/authorize", headers });
  const [response] = await once(sent, "response");
  expect(response.statusCode).toBe(400);
  expect((await fetch(`${origin}/v1/tenants`)).status).toBe(404);
});
