import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createIntegrationConfig } from "./create-integration-config.ts";
import { publishIntegrationConfig } from "./publish-integration-config.ts";
import { readPublishedConfig } from "./read-published-config.ts";
import { CreateIntegrationConfigBody, UpdateIntegrationConfigBody } from "./schemas.ts";
import { toIntegrationConfig } from "./to-integration-config.ts";
import { updateIntegrationConfig } from "./update-integration-config.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = `${privateKey.export({ type: "pkcs8", format: "pem" })}`;
const mask = "********";
const url = "https://login.example.com";

const base = {
  type: "oauth2",
  grant: "id-jag",
  issuer: url,
  clientId: "ours",
  identityProviderIssuer: "https://company.example.com",
  identityProviderClientId: "wharf",
  identityProviderClientSecret: "secret-of-the-identity",
};
const withAddresses = {
  identityProviderIssuer: null,
  identityProviderAuthorizationUrl: "https://company.example.com/authorize",
  identityProviderTokenUrl: "https://company.example.com/token",
};

const create = async (auth: object, integrationId = "openapi") => {
  const tenant = testTenant(db);
  const deps = { ...tenant.deps, outgoing: { allowPrivateAddresses: false } };
  const parameters =
    integrationId === "mcp"
      ? { url: "https://mcp.example.com" }
      : { document: '{"openapi":"3.1.0","paths":{}}', baseUrl: "https://api.example.com" };
  const body = CreateIntegrationConfigBody.parse({ integrationId, parameters, auth });
  const config = await createIntegrationConfig(deps, { ctx: tenant.ctx, body });
  return { ...tenant, deps, config: toIntegrationConfig(config) };
};

describe("the settings of id-jag", () => {
  test("have secrets that are shown as masks, kept by them, and not kept for another identity provider", async () => {
    const { config, ctx, deps } = await create({ ...base, idToken: "an.id.token" });
    expect(config.auth).toMatchObject({
      identityProviderClientSecret: mask,
      idToken: mask,
      identityProviderIssuer: base.identityProviderIssuer,
    });
    const configId = config.id;
    const kept = UpdateIntegrationConfigBody.parse({ auth: { ...config.auth, scopes: ["read"] } });
    await updateIntegrationConfig(deps, { ctx, configId, body: kept });
    await publishIntegrationConfig(deps, { ctx, configId, revision: undefined });
    const published = await readPublishedConfig(deps, { tenantId: ctx.tenant.id, configId });
    expect(published).toMatchObject({
      oauth: {
        identityProviderClientSecret: base.identityProviderClientSecret,
        idToken: "an.id.token",
        scopes: ["read"],
      },
      auth: {},
    });
    for (const members of [
      { identityProviderIssuer: "https://other.example.com" },
      withAddresses,
    ]) {
      const body = UpdateIntegrationConfigBody.parse({ auth: { ...config.auth, ...members } });
      const changed = updateIntegrationConfig(deps, { ctx, configId, body });
      await expect(changed).rejects.toMatchObject({ slug: "validation-failed" });
    }
  });

  test.each<[string, object, string?]>([
    ["addresses in place of an issuer", { ...base, ...withAddresses }],
    ["the issuer that an MCP server names", { ...base, issuer: null }, "mcp"],
    [
      "a private key, and the audience that its assertions have",
      {
        ...base,
        identityProviderClientSecret: null,
        identityProviderClientPrivateKey: pem,
        clientAssertionAudience: "endpoint",
      },
    ],
    ["people as owners", { ...base, owner: "endUser" }],
  ])("may have %s", async (_, auth, integrationId) => {
    const { config } = await create(auth, integrationId);
    expect(config.auth?.grant).toBe("id-jag");
  });

  test.each<[string, object, string, string?]>([
    ["no issuer", { issuer: null, tokenUrl: `${url}/token` }, "/auth/issuer"],
    ["no issuer, of mcp with an address", { issuer: null, tokenUrl: url }, "/auth/issuer", "mcp"],
    ["no client", { clientId: null }, "/auth/clientId"],
    [
      "no client at the provider",
      { identityProviderClientId: null },
      "/auth/identityProviderClientId",
    ],
    [
      "no page of the provider",
      { ...withAddresses, identityProviderAuthorizationUrl: null },
      "/auth/identityProviderAuthorizationUrl",
    ],
    [
      "a private address of the provider",
      { ...withAddresses, identityProviderTokenUrl: "https://169.254.169.254/token" },
      "/auth/identityProviderTokenUrl",
    ],
    [
      "a secret and a key",
      { identityProviderClientPrivateKey: pem },
      "/auth/identityProviderClientPrivateKey",
    ],
    [
      "a text that is no key",
      { identityProviderClientSecret: null, identityProviderClientPrivateKey: "secret" },
      "/auth/identityProviderClientPrivateKey",
    ],
    [
      "people as owners of an ID token",
      { idToken: "an.id.token", owner: "endUser" },
      "/auth/owner",
    ],
    [
      "the ID token among other credentials",
      { parameters: { idToken: "an.id.token" } },
      "/auth/parameters/idToken",
    ],
  ])("are refused with %s", async (_, auth, pointer, integrationId) => {
    await expect(create({ ...base, ...auth }, integrationId)).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [expect.objectContaining({ pointer })] },
    });
  });

  test("are refused without an address, with the name of what may replace it", async () => {
    const auth = { ...base, identityProviderIssuer: null };
    const detail = "is required, or identityProviderIssuer";
    await expect(create(auth)).rejects.toMatchObject({
      members: {
        errors: [
          { pointer: "/auth/identityProviderTokenUrl", detail },
          { pointer: "/auth/identityProviderAuthorizationUrl", detail },
        ],
      },
    });
  });

  test("are refused with another grant", async () => {
    const auth = { type: "oauth2", issuer: url, clientId: "ours", idToken: "an.id.token" };
    await expect(create(auth)).rejects.toMatchObject({
      members: { errors: [{ pointer: "/auth/idToken", detail: 'needs "grant": "id-jag"' }] },
    });
  });
});
