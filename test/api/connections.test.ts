import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization, stack } from "../harness/api.ts";
import { browserSession } from "../harness/browser-session.ts";
import { proofChecker } from "../harness/check-proof.ts";
import { identityClient, startIdentityProvider } from "../harness/identity-provider.ts";
import { issuerClient, startIssuer } from "../harness/issuer.ts";
import { listen } from "../harness/listen.ts";
import { startWrongIssuer } from "../harness/wrong-issuer.ts";

const Created = z.looseObject({ id: z.string() });
const Connected = Created.extend({ status: z.string(), authorizeUrl: z.string().nullable() });
const Executed = z.object({ executionId: z.string(), status: z.string() });
const Approvals = z.object({
  items: z.array(z.looseObject({ kind: z.string(), authorizeUrl: z.string().nullable() })),
});

describe("a config with OAuth 2", () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let api: Awaited<ReturnType<typeof listen>>;
  let baseUrl: string;
  beforeAll(async () => {
    ({ baseUrl } = inject("stack"));
    issuer = await startIssuer([`${baseUrl}/v1/oauth/callback`]);
    api = await listen(
      createServer(async (request, response) => {
        const person = await issuer.findPerson(request.headers.authorization);
        response.writeHead(person ? 200 : 401, { "content-type": "application/json" });
        response.end(JSON.stringify({ person: person?.id ?? null }));
      }),
    );
  });
  afterAll(async () => {
    await api.close();
    await issuer.close();
  });

  const createConfig = async (
    own: Awaited<ReturnType<typeof newOrganization>>,
    auth: object = {},
    more: object = {},
  ) => {
    const document = { openapi: "3.1.0", paths: { "/me": { get: { operationId: "me" } } } };
    const { body } = await own.send("POST", "/integration-configs", {
      integrationId: "openapi",
      displayName: "Files",
      parameters: { document: JSON.stringify(document), baseUrl: api.url },
      auth: {
        type: "oauth2",
        authorizationUrl: `${issuer.url}/auth`,
        tokenUrl: `${issuer.url}/token`,
        revocationUrl: `${issuer.url}/token/revocation`,
        clientId: issuerClient.id,
        clientSecret: issuerClient.secret,
        scopes: ["files.read"],
        ...auth,
      },
      ...more,
    });
    const { id } = Created.parse(body);
    await own.send("POST", `/integration-configs/${id}:publish`, {});
    return id;
  };

  /** Opens a link, presses its button, gives consent, and returns the last page with its address. */
  const giveConsent = async (link: string, place = "on the pages of Files") => {
    const browser = browserSession();
    const page = await browser.visit(link);
    const text = await page.text();
    expect(text).toContain("Connect Files");
    expect(text).toContain(`You sign in ${place}.`);
    const form = { method: "POST", body: new URLSearchParams() };
    const foreign = await fetch(link, { ...form, headers: { "sec-fetch-site": "cross-site" } });
    expect([foreign.status, foreign.headers.get("set-cookie")]).toEqual([409, null]);
    expect(await foreign.text()).toContain("Another site sent this request");
    const sent = await browser.visit(link, form);
    expect(sent.status, await sent.text()).toBe(303);
    const { headers } = sent;
    expect(headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
    const callback = await browser.follow(
      headers.get("location") ?? "",
      `${baseUrl}/v1/oauth/callback`,
    );
    const stranger = await browserSession().visit(callback);
    expect([stranger.status, await stranger.text()]).toEqual([
      403,
      expect.stringContaining("another browser"),
    ]);
    const last = await browser.visit(callback);
    return {
      status: last.status,
      text: await last.text(),
      again: (await browser.visit(callback)).status,
    };
  };

  test("lets an execution wait until a person has given consent, refreshes, and revokes", async () => {
    const own = await newOrganization();
    const configId = await createConfig(own);
    const tools = await own.send("GET", `/integrations/openapi/tools?configId=${configId}`);
    expect(tools.body).toMatchObject({
      items: [
        {
          authSettings: {
            supportsOAuth: true,
            oAuth: [{ connectionStatus: null, scopes: ["files.read"] }],
          },
        },
      ],
    });
    const step = { id: "me", type: "Tool", integrationId: "openapi", toolId: "me", configId };
    await own.deployAgent("files", { flow: { steps: [step], edges: [] } });
    const execution = await own.try("POST", "/agents/files:execute", { body: { input: {} } });
    const { executionId, status } = Executed.parse(execution.body);
    expect(status).toBe("Waiting");
    const { items } = Approvals.parse((await own.send("GET", "/approvals")).body);
    expect(items[0]?.kind).toBe("Authorization");
    expect(items[0]?.authorizeUrl).toContain("/connection-links/");
    const end = await giveConsent(items[0]?.authorizeUrl ?? "");
    expect([end.status, end.again]).toEqual([200, 410]);
    expect(end.text).toContain("Connected");
    const record = `/agents/files/execution-records/${executionId}`;
    const readStatus = async () =>
      z.looseObject({ status: z.string() }).parse((await own.send("GET", record)).body).status;
    await expect.poll(readStatus, { timeout: 30_000 }).toBe("Succeeded");
    expect((await own.send("GET", record)).body).toMatchObject({ output: { person: "ada" } });

    const list = await own.send("GET", `/connections?integrationConfigId=${configId}`);
    const [connection] = z.object({ items: z.array(Connected) }).parse(list.body).items;
    expect(connection).toMatchObject({ status: "Active", authorizeUrl: null });
    const path = `/connections/${connection?.id}`;
    const refreshed = await own.send("POST", `${path}:refresh`);
    expect(Connected.parse(refreshed.body).status).toBe("Active");
    expect((await own.try("DELETE", path)).status).toBe(204);
    expect((await own.try("GET", path)).status).toBe(404);
    expect(issuer.counts["/token/revocation"]).toBe(1);
  }, 180_000);

  test("authenticates with a private key, and has tokens that are bound to a key of the connection", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const keyed = await startIssuer([`${baseUrl}/v1/oauth/callback`], {
      client: {
        client_secret: undefined,
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_signing_alg: "ES256",
        jwks: { keys: [publicKey.export({ format: "jwk" })] },
      },
      features: {
        dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
      },
    });
    const proofs = proofChecker(Date.now);
    proofs.wants.nonce = "nonce-1";
    const service = await listen(
      createServer(async (request, response) => {
        const person = await keyed.findPerson(request.headers.authorization);
        const refusal = await proofs.refuse(request, person?.jkt ?? "");
        response.writeHead(refusal ? 401 : 200, refusal ?? { "content-type": "application/json" });
        response.end(JSON.stringify({ person: person?.id ?? null }));
      }),
    );
    try {
      const own = await newOrganization();
      const clientPrivateKey = `${privateKey.export({ type: "pkcs8", format: "pem" })}`;
      const document = { openapi: "3.1.0", paths: { "/me": { get: { operationId: "me" } } } };
      const configId = await createConfig(
        own,
        {},
        {
          parameters: { document: JSON.stringify(document), baseUrl: service.url },
          auth: {
            type: "oauth2",
            issuer: keyed.url,
            revocationUrl: `${keyed.url}/token/revocation`,
            clientId: issuerClient.id,
            clientPrivateKey,
            dpop: true,
            scopes: ["files.read"],
          },
        },
      );
      const shown = await own.send("GET", `/integration-configs/${configId}`);
      expect(shown.body).toMatchObject({ auth: { clientPrivateKey: "********", dpop: true } });
      const created = await own.send("POST", "/connections", { integrationConfigId: configId });
      const { id, authorizeUrl } = Connected.parse(created.body);
      expect((await giveConsent(authorizeUrl ?? "")).text).toContain("Connected");
      const run = () =>
        own.send("POST", "/integrations/openapi/tools/me:run", { configId, parameters: {} });
      expect((await run()).body).toMatchObject({ jsonValue: { person: "ada" } });
      await own.send("POST", `/connections/${id}:refresh`);
      expect((await run()).body).toMatchObject({ jsonValue: { person: "ada" } });
      expect(proofs.received.map(({ nonce }) => nonce)).toContain("nonce-1");
      expect((await own.try("DELETE", `/connections/${id}`)).status).toBe(204);
      expect(keyed.counts["/token/revocation"]).toBe(1);
    } finally {
      await service.close();
      await keyed.close();
    }
  });

  test("signs a person in at a company's identity provider in place of a consent at the service, and revokes the sign-in", async () => {
    const company = await startIdentityProvider();
    const service = await startWrongIssuer();
    service.metadata.token_endpoint = `${service.url}/token`;
    const tools = await listen(
      createServer(async (request, response) => {
        const person = await service.findPerson(request.headers.authorization);
        response.writeHead(person ? 200 : 401, { "content-type": "application/json" });
        response.end(JSON.stringify({ person: person?.id ?? null }));
      }),
    );
    try {
      const own = await newOrganization();
      const document = { openapi: "3.1.0", paths: { "/me": { get: { operationId: "me" } } } };
      const configId = await createConfig(
        own,
        {},
        {
          parameters: { document: JSON.stringify(document), baseUrl: tools.url },
          auth: {
            type: "oauth2",
            grant: "id-jag",
            issuer: service.url,
            clientId: "ours",
            identityProviderIssuer: company.url,
            identityProviderClientId: identityClient.id,
            identityProviderClientSecret: identityClient.secret,
          },
        },
      );
      const created = await own.send("POST", "/connections", { integrationConfigId: configId });
      const { id, authorizeUrl } = Connected.parse(created.body);
      const place = `at the identity provider of your company, ${new URL(company.url).host}`;
      expect((await giveConsent(authorizeUrl ?? "", place)).text).toContain("Connected");
      const run = () =>
        own.send("POST", "/integrations/openapi/tools/me:run", { configId, parameters: {} });
      expect((await run()).body).toMatchObject({ jsonValue: { person: "holder-1" } });
      await own.send("POST", `/connections/${id}:refresh`);
      expect((await run()).body).toMatchObject({ jsonValue: { person: "holder-2" } });
      expect((await own.try("DELETE", `/connections/${id}`)).status).toBe(204);
      expect(company.revoked).toEqual(["identity-refresh-2"]);
    } finally {
      for (const { close } of [tools, service, company]) await close();
    }
  });

  test("has no connection before it is published, and says so", async () => {
    const own = await newOrganization();
    const config = await own.send("POST", "/integration-configs", {
      integrationId: "mcp",
      parameters: { url: "https://mcp.example.com" },
      auth: { type: "oauth2" },
    });
    const body = { integrationConfigId: Created.parse(config.body).id };
    const refused = await own.try("POST", "/connections", { body });
    expect(refused.status).toBe(409);
    expect(expectProblem(refused).detail).toContain("Publish it first.");
  });

  const buildAgent = (configId: string) => ({
    useSession: true,
    flow: {
      steps: [{ id: "me", type: "Tool", integrationId: "openapi", toolId: "me", configId }],
      edges: [],
    },
  });

  test("has the connection of an end user for keys and for users who may create it, and their own for others", async () => {
    const own = await newOrganization();
    const configId = await createConfig(own, { owner: "endUser" });
    await own.deployAgent("files", buildAgent(configId));
    const bob = await stack().token({ org: own.org, role: "runner", user: "bob" });
    const executeFor = (endUserId: string, caller: { key?: string; token?: string }) =>
      call("POST", `${own.base}/agents/files:execute`, {
        ...caller,
        body: { input: {}, session: { endUserId } },
      });
    const refused = await executeFor("ada", { token: bob });
    expect(expectProblem(refused).detail).toContain("of another end user");
    expect((await own.send("GET", "/connections")).body).toMatchObject({ items: [] });
    const key = await own.mintKey(["agents:execute"]);
    for (const [endUserId, caller] of [
      ["bob", { token: bob }],
      ["ada", { key }],
      ["ada", { token: own.token }],
    ] as const) {
      const { body } = await executeFor(endUserId, caller);
      expect(Executed.parse(body).status).toBe("Waiting");
    }
    const { items } = z
      .object({ items: z.array(z.looseObject({ endUserId: z.string() })) })
      .parse((await own.send("GET", "/connections")).body);
    expect(items.map(({ endUserId }) => endUserId).toSorted()).toEqual(["ada", "bob"]);
  });

  test("shows the address of a consent, with the owner on its page, to callers who may run agents or change configs", async () => {
    const own = await newOrganization();
    const configId = await createConfig(own, { owner: "endUser" });
    await own.deployAgent("files", buildAgent(configId));
    const body = { input: {}, session: { endUserId: "ada" } };
    await own.try("POST", "/agents/files:execute", { body });
    const bob = await stack().token({ org: own.org, role: "runner", user: "bob" });
    const listed = await call("GET", `${own.base}/approvals`, { token: bob });
    expect([listed.status, listed.text.includes("/connection-links/")]).toEqual([200, false]);
    const readers = [
      await own.mintKey(["integrations:read", "executions:read"]),
      await own.mintKey(["integrations:read", "executions:read", "integrations:write"]),
    ];
    const { items } = z
      .object({ items: z.array(Created) })
      .parse((await own.send("GET", "/connections")).body);
    const paths = [`/connections/${items[0]?.id}`, "/approvals"];
    for (const path of paths) {
      const [hidden, shown] = await Promise.all(
        readers.map((key) => call("GET", own.base + path, { key })),
      );
      expect([hidden?.status, shown?.status]).toEqual([200, 200]);
      expect(hidden?.text).not.toContain("/connection-links/");
      expect(shown?.text).toContain("/connection-links/");
    }
    const { authorizeUrl } = Connected.parse((await own.send("GET", paths[0] ?? "")).body);
    expect(await (await fetch(authorizeUrl ?? "")).text()).toContain("for the end user ada");
  });

  test("names the address of a consent in the error of a tool that is called directly, to those who may see it", async () => {
    const own = await newOrganization();
    const configId = await createConfig(own, {}, { exposeMcp: true });
    const tester = await own.mintKey(["tools:test"]);
    const run = (caller: { key?: string; token?: string }) =>
      call("POST", `${own.base}/integrations/openapi/tools/me:run`, {
        ...caller,
        body: { configId, parameters: {} },
      });
    expect(expectProblem(await run({ token: own.token })).detail).toContain("/connection-links/");
    const { detail } = expectProblem(await run({ key: tester }));
    expect(detail).toContain("a person has to give consent first");
    expect(detail).not.toContain("-links/");
    const invoke = { name: "me", arguments: {} };
    const callTool = (key: string) =>
      call("POST", `${own.base}/mcp/${configId}`, {
        key,
        headers: { Accept: "application/json, text/event-stream" },
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: invoke },
      });
    const [invoker, runner] = [
      await own.mintKey(["mcp:invoke"]),
      await own.mintKey(["mcp:invoke", "agents:execute"]),
    ];
    const { text } = await callTool(invoker);
    expect(text).toContain("a person has to give consent first");
    expect(text).not.toContain("-links/");
    expect((await callTool(runner)).text).toContain("/connection-links/");
  });
});
