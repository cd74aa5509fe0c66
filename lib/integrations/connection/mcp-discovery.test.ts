import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { decodeJwt } from "jose";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserSession } from "../../../test/harness/browser-session.ts";
import { proofChecker } from "../../../test/harness/check-proof.ts";
import { identityClient, startIdentityProvider } from "../../../test/harness/identity-provider.ts";
import { startIssuer } from "../../../test/harness/issuer.ts";
import { listen } from "../../../test/harness/listen.ts";
import { startMcpServer } from "../../../test/harness/mcp-server.ts";
import { testProcessor } from "../../../test/harness/processor.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { ConsentRequired } from "../../engine/tools/tool.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { createIntegrationConfig } from "../config/create-integration-config.ts";
import { publishIntegrationConfig } from "../config/publish-integration-config.ts";
import { CreateIntegrationConfigBody, UpdateIntegrationConfigBody } from "../config/schemas.ts";
import { updateIntegrationConfig } from "../config/update-integration-config.ts";
import { configToolsLoader } from "../tools/config-tools.ts";
import { beginConsent } from "./begin-consent.ts";
import { verifyConnectionLink } from "./connection-link.ts";
import { createConnection } from "./create-connection.ts";
import { finishConsent } from "./finish-consent.ts";
import { refreshNow } from "./refresh-now.ts";
import { changeConnection, getConnection } from "./store.ts";

let db: TestDatabase;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(() => async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a server at `/mcp` that needs a token, with the metadata of a protected resource. */
const startProtected = async (
  findPerson: (header: string | undefined) => Promise<object | undefined>,
  metadata: (url: string) => object,
  /** Returns the headers of the refusal of a proof. */
  refuse: (request: IncomingMessage) => Promise<Record<string, string> | undefined> = async () =>
    undefined,
) => {
  const inner = await startMcpServer({
    tools: [{ name: "hello", inputSchema: { type: "object" } }],
    call: () => ({ content: [{ type: "text", text: "Hello" }] }),
  });
  let own = "";
  const outer = await listen(
    createServer(async (request, response) => {
      const body = await buffer(request);
      if (request.url === "/meta") {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(metadata(own)));
        return;
      }
      if (!(await findPerson(request.headers.authorization))) {
        const challenge = `Bearer resource_metadata="${own}/meta", scope="files.read"`;
        response.writeHead(401, { "www-authenticate": challenge }).end();
        return;
      }
      const refusal = await refuse(request);
      if (refusal) {
        response.writeHead(401, refusal).end();
        return;
      }
      const { host: _, connection: __, ...headers } = request.headers;
      const answer = await fetch(inner.url, {
        method: request.method ?? "GET",
        headers: Object.entries(headers).map(([name, value]): [string, string] => [
          name,
          `${value}`,
        ]),
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      response.writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "application/json",
      });
      response.end(Buffer.from(await answer.arrayBuffer()));
    }),
  );
  own = outer.url;
  closing.push(outer.close, inner.close);
  return outer.url;
};

/** A tenant with a published config of an MCP server. */
const configure = async (url: string, auth: object = {}) => {
  const { ctx, deps: own } = testTenant(db);
  const deps = { ...own, runtime: ctx, sleep: async () => {} };
  const times = { createdAt: 0, modifiedAt: 0 };
  await putNewTenant(db, { ...ctx.tenant, slug: ctx.tenant.id, displayName: "T", ...times });
  const body = CreateIntegrationConfigBody.parse({
    integrationId: "mcp",
    displayName: "Remote",
    parameters: { url },
    auth: { type: "oauth2", ...auth },
  });
  const { id: configId } = await createIntegrationConfig(deps, { ctx, body });
  await publishIntegrationConfig(deps, { ctx, configId, revision: undefined });
  const load = configToolsLoader(deps);
  const loadTools = () => {
    const options = { signal: new AbortController().signal, processor: testProcessor() };
    return load(ctx.tenant.id, { integrationId: "mcp", configId }, options);
  };
  const begin = async () => {
    const error = await loadTools().catch((thrown: unknown) => thrown);
    if (!(error instanceof ConsentRequired)) throw error;
    const token = error.consent.url.split("/").at(-1) ?? "";
    const link = await verifyConnectionLink(deps, { tenant: ctx.tenant, token });
    const begun = await beginConsent(deps, { link, baseUrl: ctx.baseUrl });
    return { ...begun, connectionId: error.consent.connectionId };
  };
  return { ctx, deps, configId, loadTools, begin };
};

describe("an MCP server with OAuth", () => {
  /** Starts an issuer of tokens for a resource, at which clients register. */
  const startResourceIssuer = async (resource: () => string, features: object = {}) => {
    const issuer = await startIssuer(["http://localhost/v1/oauth/callback"], {
      configuration: {
        scopes: ["files.read"],
        features: {
          devInteractions: { enabled: false },
          registration: { enabled: true },
          revocation: { enabled: true },
          resourceIndicators: {
            enabled: true,
            getResourceServerInfo: (_: unknown, audience: string) => ({
              scope: "files.read",
              audience,
              accessTokenFormat: "opaque",
            }),
            useGrantedResource: () => true,
          },
          ...features,
        },
      },
      resource,
    });
    closing.push(issuer.close);
    return issuer;
  };

  test("gets tokens that are bound to a key where its metadata requires it, with a proof and its nonce in each request", async () => {
    let resource = "";
    const issuer = await startResourceIssuer(() => resource, { dPoP: { enabled: true } });
    // The clock of `configure` is that of the proofs.
    const proofs = proofChecker(testTenant(db).ctx.clock);
    proofs.wants.nonce = "nonce-1";
    const url = await startProtected(
      issuer.findPerson,
      (own) => ({
        resource: `${own}/mcp`,
        authorization_servers: [issuer.url],
        dpop_bound_access_tokens_required: true,
      }),
      async (request) => {
        const person = await issuer.findPerson(request.headers.authorization);
        return proofs.refuse(request, person?.jkt ?? "");
      },
    );
    resource = `${url}/mcp`;
    const { ctx, loadTools, begin, deps } = await configure(resource);
    const { url: address, cookie } = await begin();
    const callback = await browserSession().follow(address, ctx.baseUrl);
    const end = await finishConsent(deps, {
      parameters: new URL(callback).searchParams,
      cookie: (name) => (name === cookie.name ? cookie.value : undefined),
      baseUrl: ctx.baseUrl,
    });
    expect(end).toEqual({ outcome: "connected" });
    const hello = (await loadTools()).get("hello");
    const signal = new AbortController().signal;
    expect(await hello?.run({}, { clock: ctx.clock, signal, processor: testProcessor() })).toBe(
      "Hello",
    );
    const sent = proofs.received.map(({ nonce }) => nonce);
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.slice(0, 2)).toEqual([undefined, "nonce-1"]);
    expect(new Set(sent.slice(1))).toEqual(new Set(["nonce-1"]));
    proofs.wants.nonce = "nonce-2";
    await hello?.run({}, { clock: ctx.clock, signal, processor: testProcessor() });
    expect(proofs.received.at(-1)?.nonce).toBe("nonce-2");
    proofs.refuses.challenge = 'Bearer realm="a, b", DPoP error="invalid_dpop_proof"';
    const refused = hello?.run({}, { clock: ctx.clock, signal, processor: testProcessor() });
    await expect(refused).rejects.toMatchObject({ upstreamStatus: 401 });
    // Neither a nonce nor a wrong proof needs another token.
    expect(issuer.counts["/token"]).toBe(1);
  });

  test("is discovered, a client is registered, and its tools are listed and called with a token for it", async () => {
    let resource = "";
    const issuer = await startResourceIssuer(() => resource);
    const url = await startProtected(
      async (header) => {
        const person = await issuer.findPerson(header);
        return person?.aud === resource ? person : undefined;
      },
      (own) => ({ resource: `${own}/mcp`, authorization_servers: [issuer.url] }),
    );
    resource = `${url}/mcp`;
    const { ctx, deps, loadTools, begin } = await configure(resource);
    const { url: address, cookie, connectionId } = await begin();
    const sent = new URL(address).searchParams;
    expect(Object.fromEntries(sent)).toMatchObject({
      resource,
      scope: "files.read",
      code_challenge_method: "S256",
    });
    const callback = await browserSession().follow(address, ctx.baseUrl);
    const end = await finishConsent(deps, {
      parameters: new URL(callback).searchParams,
      cookie: (name) => (name === cookie.name ? cookie.value : undefined),
      baseUrl: ctx.baseUrl,
    });
    expect(end).toEqual({ outcome: "connected" });
    const tools = await loadTools();
    const hello = tools.get("hello");
    const signal = new AbortController().signal;
    expect(await hello?.run({}, { clock: ctx.clock, signal, processor: testProcessor() })).toBe(
      "Hello",
    );
    expect(await getConnection(db, ctx.tenant.id, connectionId)).toMatchObject({
      status: "Active",
      scopes: ["files.read"],
    });
  });

  /** Starts an issuer that only has metadata. */
  const startMetadata = async (more: (url: string) => object) => {
    let own = "";
    const asked: string[] = [];
    const issuer = await listen(
      createServer((request, response) => {
        asked.push(request.url ?? "");
        response.writeHead(200, { "content-type": "application/json" });
        response.end(
          JSON.stringify({
            issuer: own,
            authorization_endpoint: `${own}/auth`,
            token_endpoint: `${own}/token`,
            registration_endpoint: `${own}/register`,
            ...more(own),
          }),
        );
      }),
    );
    own = issuer.url;
    closing.push(issuer.close);
    return { url: issuer.url, asked };
  };

  test("gets a client id metadata document where its issuer accepts one, and a configured client before that", async () => {
    const issuer = await startMetadata(() => ({ client_id_metadata_document_supported: true }));
    const url = await startProtected(
      async () => undefined,
      (own) => ({ resource: own, authorization_servers: [issuer.url] }),
    );
    const { begin } = await configure(`${url}/mcp`);
    const { searchParams } = new URL((await begin()).url);
    expect(searchParams.get("client_id")).toBe("http://localhost/v1/oauth/client-metadata.json");
    expect(issuer.asked).not.toContain("/register");
    const other = await configure(`${url}/mcp`, { clientId: "ours" });
    expect(new URL((await other.begin()).url).searchParams.get("client_id")).toBe("ours");
  });

  /** Starts an issuer that registers clients as `registered` says, and records what is sent to it. */
  const startRegistering = async (
    methods: readonly string[] | undefined,
    registered: object,
    more: object = {},
  ) => {
    let own = "";
    const registrations: unknown[] = [];
    const clients = { areUnknown: false };
    const tokenRequests: { authorization: string | undefined; body: URLSearchParams }[] = [];
    const issuer = await listen(
      createServer(async (request, response) => {
        const body = await text(request);
        const { url, headers } = request;
        const isRegistration = url === "/register";
        if (isRegistration) registrations.push(JSON.parse(body));
        if (url === "/token") {
          const { authorization } = headers;
          tokenRequests.push({ authorization, body: new URLSearchParams(body) });
        }
        const replies: Record<string, object> = {
          "/register": { client_id: "an_id-1", ...registered },
          "/token": { access_token: "a-token", refresh_token: "again", token_type: "Bearer" },
        };
        if (url === "/token" && clients.areUnknown) {
          response.writeHead(401, { "content-type": "application/json" });
          response.end(JSON.stringify({ error: "invalid_client" }));
          return;
        }
        const metadata = {
          issuer: own,
          authorization_endpoint: `${own}/auth`,
          token_endpoint: `${own}/token`,
          registration_endpoint: `${own}/register`,
          ...(methods && { token_endpoint_auth_methods_supported: methods }),
          ...more,
        };
        response.writeHead(isRegistration ? 201 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify(replies[url ?? ""] ?? metadata));
      }),
    );
    own = issuer.url;
    closing.push(issuer.close);
    return { url: issuer.url, registrations, tokenRequests, clients };
  };

  const secret = "a_s.e-c/ret";
  const basic = `Basic ${Buffer.from("an_id-1:a_s.e-c%2Fret").toString("base64")}`;

  test.each<
    [string, readonly string[] | undefined, object, string, [string | undefined, string | null]]
  >([
    ["any", undefined, {}, "none", [undefined, null]],
    ["none", ["client_secret_basic", "none"], {}, "none", [undefined, null]],
    [
      "Basic",
      ["client_secret_basic"],
      { client_secret: secret },
      "client_secret_basic",
      [basic, null],
    ],
    [
      "those in the body",
      ["private_key_jwt", "client_secret_post"],
      { client_secret: secret },
      "client_secret_post",
      [undefined, secret],
    ],
    [
      "another one than registered",
      undefined,
      { client_secret: secret, token_endpoint_auth_method: "client_secret_post" },
      "none",
      [undefined, secret],
    ],
  ])(
    "registers a client with credentials that its issuer accepts (%s)",
    async (_, methods, registered, method, sent) => {
      const issuer = await startRegistering(methods, registered);
      const url = await startProtected(
        async () => undefined,
        (own) => ({ resource: `${own}/mcp`, authorization_servers: [issuer.url] }),
      );
      const { ctx, deps, begin } = await configure(`${url}/mcp`);
      const { url: address, cookie } = await begin();
      expect(issuer.registrations).toMatchObject([
        { application_type: "web", token_endpoint_auth_method: method },
      ]);
      const state = new URL(address).searchParams.get("state") ?? "";
      const end = await finishConsent(deps, {
        parameters: new URLSearchParams({ code: "a-code", state }),
        cookie: (name) => (name === cookie.name ? cookie.value : undefined),
        baseUrl: ctx.baseUrl,
      });
      expect(end).toEqual({ outcome: "connected" });
      const requests = issuer.tokenRequests.map(({ authorization, body }) => [
        authorization,
        body.get("client_secret"),
      ]);
      expect(requests).toEqual([sent]);
    },
  );

  /** Connects a config, and refreshes after the issuer has forgotten its client; begins another consent. */
  const connectAgain = async (issuer: Awaited<ReturnType<typeof startRegistering>>) => {
    const url = await startProtected(
      async () => undefined,
      (own) => ({ resource: `${own}/mcp`, authorization_servers: [issuer.url] }),
    );
    const { ctx, deps, begin, configId } = await configure(`${url}/mcp`);
    const { url: address, cookie, connectionId } = await begin();
    await finishConsent(deps, {
      parameters: new URLSearchParams({
        code: "a-code",
        state: new URL(address).searchParams.get("state") ?? "",
      }),
      cookie: (name) => (name === cookie.name ? cookie.value : undefined),
      baseUrl: ctx.baseUrl,
    });
    issuer.clients.areUnknown = true;
    const { signal } = new AbortController();
    const input = { tenantId: ctx.tenant.id, connectionId, signal };
    const refreshed = await refreshNow(deps, input);
    expect(refreshed).toMatchObject({ status: "Expired", error: "invalid_client" });
    await createConnection(deps, { ctx, body: { integrationConfigId: configId } });
    return new URL((await begin()).url).searchParams;
  };

  test("registers another client after its issuer has forgotten the one before", async () => {
    const issuer = await startRegistering(undefined, {});
    await connectAgain(issuer);
    expect(issuer.registrations).toHaveLength(2);
  });

  test("names its client id metadata document again after its issuer refused the client", async () => {
    const accepts = { client_id_metadata_document_supported: true };
    const issuer = await startRegistering(undefined, {}, accepts);
    const parameters = await connectAgain(issuer);
    const document = "http://localhost/v1/oauth/client-metadata.json";
    expect(parameters.get("client_id")).toBe(document);
    expect(issuer.tokenRequests.map(({ body }) => body.get("client_id"))).toEqual([
      document,
      document,
    ]);
    expect(issuer.registrations).toEqual([]);
  });

  test("is asked for the scopes that it names, also by a connection that was created again, and after its expiry for those of the last consent", async () => {
    const issuer = await startRegistering(undefined, {});
    const url = await startProtected(
      async () => undefined,
      (own) => ({ resource: `${own}/mcp`, authorization_servers: [issuer.url] }),
    );
    const { ctx, deps, begin, configId } = await configure(`${url}/mcp`);
    const readScope = async () => {
      const { url: address, cookie, connectionId } = await begin();
      const { searchParams } = new URL(address);
      const [scope, state = ""] = [searchParams.get("scope"), searchParams.get("state") ?? ""];
      const finish = () =>
        finishConsent(deps, {
          parameters: new URLSearchParams({ code: "a-code", state }),
          cookie: (name) => (name === cookie.name ? cookie.value : undefined),
          baseUrl: ctx.baseUrl,
        });
      return { scope, finish, connectionId };
    };
    const create = (scopes?: string[]) =>
      createConnection(deps, { ctx, body: { integrationConfigId: configId, scopes } });
    expect((await readScope()).scope).toBe("files.read");
    await create(["bad"]);
    expect((await readScope()).scope).toBe("bad");
    await create();
    expect((await readScope()).scope).toBe("files.read");
    await create(["files.read", "files.write"]);
    const { finish, connectionId } = await readScope();
    expect(await finish()).toEqual({ outcome: "connected" });
    const item = await getConnection(db, ctx.tenant.id, connectionId);
    if (!item) throw new Error("no connection");
    await changeConnection(db, ctx.tenant.id, item, { status: "Expired" });
    await create();
    expect((await readScope()).scope).toBe("files.read files.write");
    await create(["files.delete"]);
    expect((await readScope()).scope).toBe("files.read files.write files.delete");
    const now = await getConnection(db, ctx.tenant.id, connectionId);
    if (!now) throw new Error("no connection");
    await changeConnection(db, ctx.tenant.id, now, { target: "https://old.example.com" });
    await create();
    expect((await readScope()).scope).toBe("files.read");
    await create(["files.delete"]);
    expect((await readScope()).scope).toBe("files.delete");
  });

  test("is asked by a client itself for the scopes that it names", async () => {
    const issuer = await startRegistering(undefined, {});
    const url = await startProtected(
      async (header) => (header === "Bearer a-token" ? {} : undefined),
      (own) => ({ resource: `${own}/mcp`, authorization_servers: [issuer.url] }),
    );
    const client = { grant: "client_credentials", clientId: "ours", clientSecret: "secret" };
    const { loadTools } = await configure(`${url}/mcp`, client);
    expect([...(await loadTools()).keys()]).toEqual(["hello"]);
    expect(issuer.tokenRequests.map(({ body }) => body.get("scope"))).toEqual(["files.read"]);
  });

  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const clientPrivateKey = JSON.stringify(privateKey.export({ format: "jwk" }));
  test.each([
    ["gets the secret", { clientSecret: "secret" }],
    ["has assertions by the key", { clientPrivateKey }],
  ])(
    "%s of a configured client for the issuer that it named first, until the config names another one",
    async (_, credential) => {
      const first = await startRegistering(undefined, {});
      const other = await startRegistering(undefined, {});
      let named = first.url;
      const url = await startProtected(
        async () => undefined,
        (own) => ({ resource: `${own}/mcp`, authorization_servers: [named] }),
      );
      const client = { clientId: "ours", ...credential };
      const { begin, ctx, deps, configId } = await configure(`${url}/mcp`, client);
      const readOrigin = async () => new URL((await begin()).url).origin;
      expect(await readOrigin()).toBe(first.url);
      expect(await readOrigin()).toBe(first.url);
      named = other.url;
      await expect(begin()).rejects.toThrow("names another authorization server than before");
      const publish = async (members: object) => {
        const body = UpdateIntegrationConfigBody.parse({ auth: { type: "oauth2", ...members } });
        await updateIntegrationConfig(deps, { ctx, configId, body });
        await publishIntegrationConfig(deps, { ctx, configId, revision: undefined });
      };
      const [name = ""] = Object.keys(credential);
      // Whoever makes such a change need not know the secret.
      const another = { clientId: "theirs", resource: `${url}/mcp`, [name]: "********" };
      await publish(another);
      await expect(begin()).rejects.toThrow("names another authorization server than before");
      await publish({ ...client, issuer: other.url });
      expect(await readOrigin()).toBe(other.url);
    },
  );

  test("gets assertions for the issuer that it named first, and for no other one", async () => {
    const first = await startRegistering(undefined, {});
    const other = await startRegistering(undefined, {});
    let named = first.url;
    const url = await startProtected(
      async (header) => (header === "Bearer a-token" ? {} : undefined),
      (own) => ({ resource: `${own}/mcp`, authorization_servers: [named] }),
    );
    const { ctx, deps, configId, loadTools } = await configure(`${url}/mcp`, {
      grant: "jwt-bearer",
      assertionPrivateKey: clientPrivateKey,
      assertionClaims: { iss: "robot" },
    });
    expect([...(await loadTools()).keys()]).toEqual(["hello"]);
    const [{ body } = { body: new URLSearchParams() }] = first.tokenRequests;
    expect(Object.fromEntries(body)).toMatchObject({
      resource: `${url}/mcp`,
      scope: "files.read",
    });
    expect(decodeJwt(body.get("assertion") ?? "").aud).toBe(first.url);
    named = other.url;
    const connect = () => createConnection(deps, { ctx, body: { integrationConfigId: configId } });
    await expect(connect()).rejects.toThrow("names another authorization server than before");
    expect(other.tokenRequests).toEqual([]);
  });

  test("is called for a sign-in at a company's identity provider, which learns the issuer that it named first and no other one", async () => {
    const company = await startIdentityProvider();
    closing.push(company.close);
    const first = await startRegistering(undefined, {});
    const other = await startRegistering(undefined, {});
    let named = first.url;
    const url = await startProtected(
      async (header) => (header === "Bearer a-token" ? {} : undefined),
      (own) => ({ resource: `${own}/mcp`, authorization_servers: [named] }),
    );
    const { ctx, deps, configId, loadTools } = await configure(`${url}/mcp`, {
      grant: "id-jag",
      clientId: "ours",
      identityProviderIssuer: company.url,
      identityProviderClientId: identityClient.id,
      identityProviderClientSecret: identityClient.secret,
      idToken: company.signIn(),
    });
    expect([...(await loadTools()).keys()]).toEqual(["hello"]);
    const [exchange] = company.listRequests(":token-exchange");
    expect(Object.fromEntries(exchange ?? [])).toMatchObject({
      audience: first.url,
      resource: `${url}/mcp`,
      scope: "files.read",
    });
    const [request] = first.tokenRequests;
    expect(Object.fromEntries(request?.body ?? [])).toMatchObject({
      client_id: "ours",
      assertion: "assertion-1",
      resource: `${url}/mcp`,
    });
    named = other.url;
    const connect = () => createConnection(deps, { ctx, body: { integrationConfigId: configId } });
    await expect(connect()).rejects.toThrow("names another authorization server than before");
    expect(company.listRequests(":token-exchange")).toHaveLength(1);
    expect(other.tokenRequests).toEqual([]);
  });

  test("is connected through the issuer that its config names when it has no metadata", async () => {
    const issuer = await startRegistering(undefined, {});
    const url = await startProtected(
      async () => undefined,
      () => ({}),
    );
    const { begin } = await configure(`${url}/mcp`, { issuer: issuer.url });
    const { origin, searchParams } = new URL((await begin()).url);
    expect([origin, searchParams.get("resource")]).toEqual([issuer.url, `${url}/mcp`]);
    const undiscovered = await configure(`${url}/mcp`);
    await expect(undiscovered.begin()).rejects.toThrow("has no metadata of a protected resource");
  });

  /** Starts an authorization server of MCP 2025-03-26: its metadata has the status, it registers clients and issues tokens. */
  const startBare = async (metadataStatus: number) => {
    const asked: string[] = [];
    const bare = await listen(
      createServer((request, response) => {
        const [path = ""] = (request.url ?? "").split("?");
        asked.push(path);
        const replies: Record<string, [number, object]> = {
          "/register": [201, { client_id: "an-id" }],
          "/token": [200, { access_token: "a-token", token_type: "Bearer" }],
        };
        const [status, body] = replies[path] ?? [metadataStatus, {}];
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      }),
    );
    closing.push(bare.close);
    return { url: bare.url, asked };
  };

  /** Starts an MCP server without metadata of a protected resource. */
  const startUndiscoverable = () =>
    startProtected(
      async (header) => (header === "Bearer a-token" ? {} : undefined),
      () => ({}),
    );

  test("is connected by the default addresses at the origin of the issuer that its config names, if that has no metadata", async () => {
    const bare = await startBare(404);
    const url = await startUndiscoverable();
    const issuer = bare.url;
    const { ctx, deps, begin, loadTools } = await configure(`${url}/mcp`, { issuer });
    const finish = async (iss?: string) => {
      const { url: address, cookie } = await begin();
      const { origin, pathname, searchParams } = new URL(address);
      expect(origin + pathname).toBe(`${bare.url}/authorize`);
      expect(Object.fromEntries(searchParams)).toMatchObject({
        client_id: "an-id",
        code_challenge_method: "S256",
        resource: `${url}/mcp`,
      });
      const state = searchParams.get("state") ?? "";
      return finishConsent(deps, {
        parameters: new URLSearchParams({ code: "a-code", state, ...(iss && { iss }) }),
        cookie: (name) => (name === cookie.name ? cookie.value : undefined),
        baseUrl: ctx.baseUrl,
      });
    };
    expect(await finish(`${bare.url}/other`)).toEqual({ outcome: "failed", code: "iss-mismatch" });
    expect(bare.asked).not.toContain("/token");
    expect(await finish(issuer)).toEqual({ outcome: "connected" });
    expect(bare.asked).toContain("/.well-known/openid-configuration");
    expect([...(await loadTools()).keys()]).toEqual(["hello"]);
  });

  test("may ask for DPoP at an issuer without metadata, which cannot say that it supports it", async () => {
    const bare = await startBare(404);
    const url = await startUndiscoverable();
    const { begin } = await configure(`${url}/mcp`, { issuer: bare.url, dpop: true });
    expect((await begin()).url).toContain(`${bare.url}/authorize`);
  });

  test("has no default addresses at an issuer with a path, which shares its origin with others", async () => {
    const bare = await startBare(404);
    const url = await startUndiscoverable();
    const issuer = `${bare.url}/tenant`;
    const { begin } = await configure(`${url}/mcp`, { issuer });
    const { host } = new URL(bare.url);
    await expect(begin()).rejects.toThrow(
      `${host}/tenant has no metadata: set tokenUrl and authorizationUrl in auth.`,
    );
    expect(bare.asked).toContain("/tenant/.well-known/openid-configuration");
    expect(bare.asked).not.toContain("/register");
    const addresses = {
      authorizationUrl: `${bare.url}/tenant/authorize`,
      tokenUrl: `${bare.url}/tenant/token`,
    };
    const named = await configure(`${url}/mcp`, { issuer, clientId: "ours", ...addresses });
    const { url: address } = await named.begin();
    expect(address).toContain(addresses.authorizationUrl);
  });

  test.each([401, 403, 410, 200])(
    "has no default addresses if the metadata of its issuer has status %i",
    async (status) => {
      const bare = await startBare(status);
      const url = await startUndiscoverable();
      const { begin } = await configure(`${url}/mcp`, { issuer: bare.url });
      await expect(begin()).rejects.toThrow(
        "has no metadata that can be read: set tokenUrl and authorizationUrl in auth in place of issuer.",
      );
      expect(bare.asked).not.toContain("/register");
    },
  );

  test("has no default addresses at an issuer that fails, or that only the server names", async () => {
    const failing = await startBare(503);
    const url = await startUndiscoverable();
    const config = await configure(`${url}/mcp`, { issuer: failing.url });
    await expect(config.begin()).rejects.toThrow("responded with status 503");
    const bare = await startBare(404);
    const naming = await startProtected(
      async () => undefined,
      (own) => ({ resource: `${own}/mcp`, authorization_servers: [bare.url] }),
    );
    const { begin } = await configure(`${naming}/mcp`);
    await expect(begin()).rejects.toThrow("has no metadata");
    expect([...failing.asked, ...bare.asked]).not.toContain("/register");
  });

  test.each<[string, (own: string) => object, (own: string) => object, string]>([
    [
      "names another resource",
      () => ({ resource: "https://other.example.com/mcp" }),
      () => ({}),
      "the metadata of another resource",
    ],
    [
      "names an issuer that is another one",
      (own) => ({ resource: `${own}/mcp` }),
      () => ({ issuer: "https://other.example.com" }),
      "the metadata of another issuer",
    ],
    [
      "requires tokens that are bound to a key, of an issuer that binds none",
      (own) => ({ resource: `${own}/mcp`, dpop_bound_access_tokens_required: true }),
      () => ({}),
      "does not support DPoP",
    ],
    [
      "names an issuer without PKCE",
      (own) => ({ resource: `${own}/mcp` }),
      () => ({ code_challenge_methods_supported: ["plain"] }),
      "does not support PKCE",
    ],
  ])("is refused when it %s", async (_, resource, metadata, detail) => {
    const issuer = await startMetadata(metadata);
    const url = await startProtected(
      async () => undefined,
      (own) => ({ authorization_servers: [issuer.url], ...resource(own) }),
    );
    const { begin } = await configure(`${url}/mcp`);
    await expect(begin()).rejects.toThrow(detail);
  });
});
