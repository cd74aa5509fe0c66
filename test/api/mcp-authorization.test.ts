import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { seedNames } from "../../infra/local/seed.ts";
import { call, expectProblem, newOrganization, stack } from "../harness/api.ts";
import { signInAtIssuer } from "../harness/sign-in-at-issuer.ts";

const Exposed = z.object({ id: z.string(), mcpKey: z.object({ key: z.string() }) });
const Metadata = z.object({ resource: z.string(), authorization_servers: z.array(z.string()) });
const Tokens = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  scope: z.string(),
});

/** A server in the tenant of the local sign-in's organization, with its key. */
let server: { path: string; url: URL; key: string };
const base = `/v1/tenants/${seedNames.tenantSlug}`;

const expose = async () => {
  const token = await stack().token({ org: seedNames.organizationId, role: "admin" });
  const body = { integrationId: "system", exposeMcp: true };
  const created = await call("POST", `${base}/integration-configs`, { token, body });
  const { id, mcpKey } = Exposed.parse(created.body);
  await call("POST", `${base}/integration-configs/${id}:publish`, { token });
  const path = `${base}/mcp/${id}`;
  return { path, url: new URL(inject("stack").baseUrl + path), key: mcpKey.key };
};

beforeAll(async () => {
  server = await expose();
});

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const send = (options: Parameters<typeof call>[2], path = server.path) =>
  call("POST", path, { body: list, ...options });
/** Returns the values of a challenge by name. */
const readChallenge = (headers: Headers) =>
  Object.fromEntries(
    [...(headers.get("www-authenticate") ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );

/** A request as through API Gateway, which renames the header `WWW-Authenticate` of a function. */
const fetchThroughApiGateway: typeof fetch = async (url, options) => {
  const response = await fetch(url, options);
  const headers = new Headers(response.headers);
  headers.delete("www-authenticate");
  const { status, body } = response;
  return new Response(body, { status, headers });
};

/** A client of the official package that has nothing but the server's URL and a client id. */
const createUser = (role: string, fetchWith: typeof fetch = fetch) => {
  const kept: { tokens?: StoredOAuthTokens; verifier: string; opened: URL[] } = {
    verifier: "",
    opened: [],
  };
  const redirectUrl = "http://127.0.0.1:41999/callback";
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
    clientInformation: () => ({ client_id: "wharf-mcp" }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => void kept.opened.push(url),
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
  };
  const open = () =>
    new StreamableHTTPClientTransport(server.url, { authProvider: provider, fetch: fetchWith });
  const connect = async () => {
    const client = new Client({ name: "test", version: "1" });
    const transport = open();
    try {
      await client.connect(transport);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      const url = kept.opened.at(-1);
      if (!url) throw error;
      await transport.finishAuth((await signInAtIssuer(url, role)).searchParams);
      await client.close();
      const again = new Client({ name: "test", version: "1" });
      await again.connect(open());
      return again;
    }
    return client;
  };
  return { kept, connect };
};

test("the official client finds the sign-in, gets a token for this server alone, and lists its tools", async () => {
  const { kept, connect } = createUser("runner");
  const client = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("calculate");
  await client.close();
  expect(kept.opened).toHaveLength(1);
  expect(kept.opened[0]?.searchParams.get("resource")).toBe(server.url.href);
  const token = kept.tokens?.access_token ?? "";
  expect(decodeJwt(token)).toMatchObject({ aud: server.url.href, sub: "ada@example.com" });
  const other = await expose();
  expect((await send({ token })).status).toBe(200);
  expect((await send({ token }, other.path)).status).toBe(401);
  expect((await call("GET", `${base}/agents`, { token })).status).toBe(401);
});

test("the official client finds the sign-in where API Gateway renames the challenge", async () => {
  const { kept, connect } = createUser("runner", fetchThroughApiGateway);
  const client = await connect();
  const { tools } = await client.listTools();
  await client.close();
  expect(tools.map(({ name }) => name)).toContain("calculate");
  expect(kept.opened[0]?.searchParams.get("resource")).toBe(server.url.href);
  expect(kept.opened[0]?.searchParams.get("scope")).toBe("mcp:invoke");
});

test("a refusal names the metadata, and the metadata the exact server and the issuer", async () => {
  const anonymous = await send({});
  expectProblem(anonymous);
  expect(anonymous.status).toBe(401);
  const challenge = readChallenge(anonymous.headers);
  const address = `${inject("stack").baseUrl}/.well-known/oauth-protected-resource${server.path}`;
  expect(challenge).toEqual({ resource_metadata: address, scope: "mcp:invoke" });
  const found = await fetch(address);
  expect(await found.json()).toEqual({
    resource: server.url.href,
    authorization_servers: [server.url.origin],
    scopes_supported: ["mcp:invoke"],
    bearer_methods_supported: ["header"],
  });
  const wrong = await send({ token: "no.jwt.here" });
  expect(readChallenge(wrong.headers)).toMatchObject({ error: "invalid_token" });
  const elsewhere = await call("GET", `${base}/agents`);
  expect(elsewhere.headers.get("www-authenticate")).not.toContain("resource_metadata");
});

test("a token without the scope is refused, and the official client asks for the scope and gets it", async () => {
  const { kept, connect } = createUser("runner");
  const client_id = "wharf-mcp";
  const redirect_uri = "http://127.0.0.1:41999/callback";
  const url = authorize({ client_id, redirect_uri, scope: "openid" });
  const code = (await signInAtIssuer(url, "runner")).searchParams.get("code") ?? "";
  const grant = { client_id, redirect_uri, code, code_verifier: verifier };
  const narrow = Tokens.parse(
    (await exchange({ grant_type: "authorization_code", ...grant })).body,
  );
  expect(narrow.scope).toBe("openid");
  const refused = await send({ token: narrow.access_token });
  expect(refused.status).toBe(403);
  const { error, scope } = readChallenge(refused.headers);
  expect({ error, scope }).toEqual({ error: "insufficient_scope", scope: "mcp:invoke" });
  kept.tokens = {
    access_token: narrow.access_token,
    refresh_token: narrow.refresh_token,
    token_type: "Bearer",
    scope: "openid",
    issuer: server.url.origin,
  };
  const client = await connect();
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("calculate");
  await client.close();
  expect(kept.opened.map(({ searchParams }) => searchParams.get("scope"))).toEqual([
    "openid mcp:invoke",
  ]);
  expect(decodeJwt(kept.tokens?.access_token ?? "")).toMatchObject({ scope: "openid mcp:invoke" });
});

test("a user who may run nothing is not granted the scope, nor let in with a token of the API", async () => {
  const { connect } = createUser("read-only");
  await expect(connect()).rejects.toThrow("no scope that the client asks for");
  const token = await stack().token({ org: seedNames.organizationId, role: "read-only" });
  const refused = await send({ token });
  expect(refused.status).toBe(403);
  expect(readChallenge(refused.headers)).toMatchObject({
    error: "insufficient_scope",
    scope: "mcp:invoke",
  });
});

test("keys work in both headers, the API's tokens too, and others' see nothing", async () => {
  const tokens = ["admin", "runner"].map((role) =>
    stack().token({ org: seedNames.organizationId, role }),
  );
  const own = (await Promise.all(tokens)).map((token) => ({ token }));
  for (const credential of [{ key: server.key }, { token: server.key }, ...own]) {
    expect((await send(credential)).status).toBe(200);
  }
  const both = await send({ key: server.key, token: server.key });
  expect(expectProblem(both).slug).toBe("ambiguous-credentials");
  const stranger = await newOrganization();
  expect((await send({ token: stranger.token })).status).toBe(404);
  expect((await send({ token: await stranger.mintKey(["mcp:invoke"]) })).status).toBe(404);
  expect((await call("GET", `${base}/agents`, { token: server.key })).status).toBe(401);
});

/** Serves a client's metadata on this machine. */
const publishMetadata = async (change: object = {}) => {
  const web = createServer((request, response) => {
    const client_id = `http://${request.headers.host}/client.json`;
    const redirect_uris = ["https://client.example/callback"];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ client_id, redirect_uris, ...change }));
  });
  web.listen(0, "127.0.0.1");
  await once(web, "listening");
  closing.push(() => web.close());
  return `http://127.0.0.1:${Object(web.address()).port}/client.json`;
};
const closing: (() => unknown)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

const verifier = randomBytes(32).toString("base64url");
/** The request with which a client opens the sign-in. */
const authorize = (parameters: Record<string, string>) => {
  const url = new URL("/oauth2/authorize", server.url);
  url.search = new URLSearchParams({
    response_type: "code",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: randomUUID(),
    scope: "mcp:invoke",
    resource: server.url.href,
    ...parameters,
  }).toString();
  return url;
};
const exchange = async (parameters: Record<string, string>) => {
  const url = new URL("/oauth2/token", server.url);
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(parameters) });
  return { status: response.status, body: await response.json() };
};

const claude = ["claude.ai", "claude.com"].map((host) => ({
  client: host,
  callback: `https://${host}/api/mcp/auth_callback`,
  metadata: { token_endpoint_auth_method: "none" },
}));
const chatGpt = ["connector_platform_oauth_redirect", "connector/oauth/3fQ-x_9"].map((path) => ({
  client: "ChatGPT",
  callback: `https://chatgpt.com/${path}`,
  metadata: {
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
  },
}));

/** Sends a message as a client that was initialized, in the order of the protocol's revision of 2025. */
const post = (token: string, message: object) =>
  call("POST", server.path, {
    token,
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: { jsonrpc: "2.0", ...message },
  });
const calculate = { name: "calculate", arguments: { expression: "6 * 7" } };
const initialize = {
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "hosted", version: "1" },
  },
};
const expectCalculated = async (token: string) => {
  const called = await post(token, { id: 2, method: "tools/call", params: calculate });
  expect(called.status).toBe(200);
  expect(called.body).toMatchObject({ id: 2, result: { content: [{ type: "text", text: "42" }] } });
};

/** The requests that the makers of hosted clients document, from the server's URL to a call with a refreshed token. */
describe.each([...claude, ...chatGpt])(
  "$client, with the callback $callback,",
  ({ callback: redirect_uri, metadata }) => {
    /** Signs in for a resource, as the person does in the browser that the client opens. */
    const signIn = async (client_id: string, resource: string) => {
      const state = randomUUID();
      const url = authorize({ client_id, redirect_uri, resource, state });
      const returned = await signInAtIssuer(url, "runner");
      expect(returned.href.startsWith(`${redirect_uri}?`)).toBe(true);
      expect(returned.searchParams.get("state")).toBe(state);
      expect(returned.searchParams.get("iss")).toBe(server.url.origin);
      const code = returned.searchParams.get("code") ?? "";
      return { client_id, redirect_uri, code, code_verifier: verifier, resource };
    };

    test.each([
      ["the predefined client", async () => "wharf-mcp"],
      [
        "the URL of its metadata document",
        () => publishMetadata({ ...metadata, redirect_uris: [redirect_uri] }),
      ],
    ])(
      "is named by %s: signs in, calls a tool, and calls it with a refreshed token",
      async (_, register) => {
        const anonymous = await call("POST", server.path, {
          body: { jsonrpc: "2.0", ...initialize },
        });
        expect(anonymous.status).toBe(401);
        const { resource_metadata = "" } = readChallenge(anonymous.headers);
        const { resource, authorization_servers } = Metadata.parse(
          await (await fetch(resource_metadata)).json(),
        );
        expect(resource).toBe(server.url.href);
        const [issuer = ""] = authorization_servers;
        for (const name of ["oauth-authorization-server", "openid-configuration"]) {
          const document = await (await fetch(`${issuer}/.well-known/${name}`)).json();
          expect(document).toMatchObject({
            issuer,
            authorization_endpoint: `${issuer}/oauth2/authorize`,
            token_endpoint: `${issuer}/oauth2/token`,
            code_challenge_methods_supported: ["S256"],
            client_id_metadata_document_supported: true,
            authorization_response_iss_parameter_supported: true,
            token_endpoint_auth_methods_supported: ["none"],
          });
        }

        const client_id = await register();
        const grant = await signIn(client_id, resource);
        const exchanged = await exchange({ grant_type: "authorization_code", ...grant });
        const { access_token, refresh_token } = Tokens.parse(exchanged.body);
        expect(decodeJwt(access_token)).toMatchObject({ aud: resource });

        const initialized = await post(access_token, initialize);
        expect(initialized.body).toMatchObject({
          id: 0,
          result: { protocolVersion: "2025-11-25" },
        });
        const notified = await post(access_token, { method: "notifications/initialized" });
        expect([notified.status, notified.text]).toEqual([202, ""]);
        const listed = await post(access_token, { id: 1, method: "tools/list", params: {} });
        expect(listed.body).toMatchObject({
          id: 1,
          result: {
            tools: expect.arrayContaining([expect.objectContaining({ name: "calculate" })]),
          },
        });
        await expectCalculated(access_token);

        const again = { grant_type: "refresh_token", refresh_token, client_id, resource };
        const refreshed = Tokens.parse((await exchange(again)).body);
        expect(decodeJwt(refreshed.access_token)).toMatchObject({ aud: resource });
        await expectCalculated(refreshed.access_token);
        expect((await exchange(again)).body).toMatchObject({ error: "invalid_grant" });
      },
    );

    test("gets no access with a token for another server, nor a token for a server that its sign-in did not name", async () => {
      const other = await expose();
      const grant = await signIn("wharf-mcp", other.url.href);
      const elsewhere = { grant_type: "authorization_code", ...grant, resource: server.url.href };
      expect((await exchange(elsewhere)).body).toMatchObject({ error: "invalid_target" });
      const signedIn = await signIn("wharf-mcp", other.url.href);
      const { body } = await exchange({ grant_type: "authorization_code", ...signedIn });
      const { access_token, refresh_token } = Tokens.parse(body);
      const refused = await post(access_token, initialize);
      expect(refused.status).toBe(401);
      expect(readChallenge(refused.headers)).toMatchObject({ error: "invalid_token" });
      expect((await send({ token: access_token }, other.path)).status).toBe(200);
      const refresh = { grant_type: "refresh_token", refresh_token, client_id: "wharf-mcp" };
      const moved = await exchange({ ...refresh, resource: server.url.href });
      expect(moved.body).toMatchObject({ error: "invalid_target" });
    });
  },
);

test.each([
  ["no authentication", {}],
  [
    "another preferred authentication, as ChatGPT's",
    {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    },
  ],
])(
  "a client named by the URL of its metadata with %s signs in, at its callbacks only",
  async (_, metadata) => {
    const client_id = await publishMetadata(metadata);
    const redirect_uri = "https://client.example/callback";
    const returned = await signInAtIssuer(authorize({ client_id, redirect_uri }), "runner");
    const code = returned.searchParams.get("code") ?? "";
    const grant = { client_id, redirect_uri, code, code_verifier: verifier };
    const { access_token } = Tokens.parse(
      (await exchange({ grant_type: "authorization_code", ...grant })).body,
    );
    expect((await send({ token: access_token })).status).toBe(200);
    const signed = { token_endpoint_auth_method: "private_key_jwt" };
    const refused = [
      authorize({ client_id: await publishMetadata(signed), redirect_uri }),
      authorize({ client_id, redirect_uri: "https://client.example/other" }),
      authorize({ client_id: await publishMetadata({ client_id: "x" }), redirect_uri }),
      authorize({ client_id: await publishMetadata({ redirect_uris: [] }), redirect_uri }),
      authorize({ client_id: "http://client.example/client.json", redirect_uri }),
      ...[
        redirect_uri,
        "https://claude.ai.example.com/api/mcp/auth_callback",
        "https://chatgpt.com/connector/oauth/",
        "https://chatgpt.com/connector/oauth/../../x",
        "https://chatgpt.com/connector/oauth/x?next=y",
      ].map((address) => authorize({ client_id: "wharf-mcp", redirect_uri: address })),
    ];
    for (const url of refused) expect((await fetch(url, { redirect: "manual" })).status).toBe(400);
    const target = authorize({
      client_id,
      redirect_uri,
      resource: `${server.url.origin}/v1/tenants`,
    });
    expect((await fetch(target, { redirect: "manual" })).status).toBe(400);
  },
);
