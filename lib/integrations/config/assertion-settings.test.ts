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

const signed = {
  type: "oauth2",
  tokenUrl: "https://login.example.com/token",
  grant: "jwt-bearer",
  assertionPrivateKey: pem,
  assertionKeyId: "key-1",
  assertionClaims: { iss: "robot", sub: "ada", admin: true, level: 3, groups: ["a", "b"] },
};
const given = {
  type: "oauth2",
  tokenUrl: "https://login.example.com/token",
  grant: "jwt-bearer",
  assertion: "token.of.a-workload",
};

const create = async (auth: object, integrationId = "openapi") => {
  const tenant = testTenant(db);
  const parameters =
    integrationId === "mcp"
      ? { url: "https://mcp.example.com" }
      : { document: '{"openapi":"3.1.0","paths":{}}', baseUrl: "https://api.example.com" };
  const body = CreateIntegrationConfigBody.parse({ integrationId, parameters, auth });
  const config = await createIntegrationConfig(tenant.deps, { ctx: tenant.ctx, body });
  return { ...tenant, config: toIntegrationConfig(config) };
};

describe("the settings of jwt-bearer", () => {
  test.each([
    ["a key", signed, { assertionPrivateKey: pem }],
    ["a token", given, { assertion: "token.of.a-workload" }],
  ])("with %s are shown with a mask, which keeps it", async (_, auth, secret) => {
    const { config, ctx, deps } = await create(auth);
    const [name = ""] = Object.keys(secret);
    const shown = { ...auth, [name]: mask };
    expect(config.auth).toMatchObject(shown);
    const tenantId = ctx.tenant.id;
    const configId = config.id;
    const body = UpdateIntegrationConfigBody.parse({ auth: { ...config.auth, scopes: ["read"] } });
    await updateIntegrationConfig(deps, { ctx, configId, body });
    await publishIntegrationConfig(deps, { ctx, configId, revision: undefined });
    const published = await readPublishedConfig(deps, { tenantId, configId });
    expect(published).toMatchObject({ oauth: { ...secret, scopes: ["read"] }, auth: {} });
  });

  test.each([
    ["a key", signed, "assertionPrivateKey"],
    ["a token", given, "assertion"],
  ])("with %s do not keep it for another address", async (_, auth, name) => {
    const { config, ctx, deps } = await create(auth);
    const tokenUrl = "https://other.example.com/token";
    const body = UpdateIntegrationConfigBody.parse({ auth: { ...auth, [name]: mask, tokenUrl } });
    const changed = updateIntegrationConfig(deps, { ctx, configId: config.id, body });
    await expect(changed).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [{ pointer: `/auth/${name}` }] },
    });
  });

  const forAudience = { ...signed, assertionClaims: { iss: "robot", aud: "https://other.com" } };
  const issuer = "https://login.example.com";

  test.each<[string, object]>([
    ["a token and an issuer", { ...given, tokenUrl: null, issuer }],
    ["a token and an address", given],
    ["an audience and an issuer", { ...forAudience, tokenUrl: null, issuer }],
    ["a key alone", { ...signed, tokenUrl: null }],
  ])("of an MCP server may have %s", async (_, auth) => {
    const { config } = await create(auth, "mcp");
    expect(config.auth?.grant).toBe("jwt-bearer");
  });

  test("do not keep the key for assertions with another audience", async () => {
    const { config, ctx, deps } = await create(forAudience);
    for (const assertionClaims of [{ iss: "robot" }, { iss: "robot", aud: "https://third.com" }]) {
      const body = UpdateIntegrationConfigBody.parse({ auth: { ...config.auth, assertionClaims } });
      const changed = updateIntegrationConfig(deps, { ctx, configId: config.id, body });
      await expect(changed).rejects.toMatchObject({ slug: "validation-failed" });
    }
    const assertionClaims = { ...forAudience.assertionClaims, sub: "grace" };
    const body = UpdateIntegrationConfigBody.parse({ auth: { ...config.auth, assertionClaims } });
    const { content } = await updateIntegrationConfig(deps, { ctx, configId: config.id, body });
    expect(content).toContain("grace");
  });

  test.each<[string, object, string, string?]>([
    [
      "a token for the server that an MCP server names",
      { ...given, tokenUrl: null },
      "/auth/issuer",
      "mcp",
    ],
    [
      "an audience at the server that an MCP server names",
      { ...forAudience, tokenUrl: null },
      "/auth/issuer",
      "mcp",
    ],
    ["neither a key nor a token", { ...given, assertion: null }, "/auth/assertion"],
    ["both", { ...signed, assertion: "token" }, "/auth/assertion"],
    ["claims of a token", { ...given, assertionClaims: { sub: "ada" } }, "/auth/assertionClaims"],
    ["a key id of a token", { ...given, assertionKeyId: "key-1" }, "/auth/assertionKeyId"],
    [
      "a text that is no key",
      { ...signed, assertionPrivateKey: "secret" },
      "/auth/assertionPrivateKey",
    ],
    ["no `iss`", { ...signed, assertionClaims: { sub: "ada" } }, "/auth/assertionClaims"],
    [
      "a claim that each assertion has",
      { ...signed, assertionClaims: { iss: "robot", exp: 1 } },
      "/auth/assertionClaims/exp",
    ],
    [
      "another grant",
      {
        ...given,
        grant: "authorization_code",
        issuer: "https://login.example.com",
        clientId: "ours",
        tokenUrl: null,
      },
      "/auth/assertion",
    ],
    ["a secret of no client", { ...given, clientSecret: "secret" }, "/auth/clientId"],
    ["an owner who is a person", { ...given, owner: "endUser" }, "/auth/owner"],
    ["no address", { ...given, tokenUrl: null }, "/auth/tokenUrl"],
    [
      "the token among other credentials",
      { ...given, parameters: { assertion: "token" } },
      "/auth/parameters/assertion",
    ],
  ])("are refused with %s", async (_, auth, pointer, integrationId) => {
    await expect(create(auth, integrationId)).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [expect.objectContaining({ pointer })] },
    });
  });

  test("are refused without an address, with the name of what may replace it", async () => {
    const errors = [{ pointer: "/auth/tokenUrl", detail: "is required, or issuer" }];
    await expect(create({ ...given, tokenUrl: null })).rejects.toMatchObject({
      members: { errors },
    });
  });

  test.each([
    ["an object", { iss: { name: "robot" } }],
    ["a text that is too long", { iss: "r".repeat(3_000) }],
    ["too many", Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`c${at}`, "v"]))],
  ])("have no claims that are %s", (_, assertionClaims) => {
    const auth = { ...signed, assertionClaims };
    expect(CreateIntegrationConfigBody.safeParse({ integrationId: "mcp", auth }).success).toBe(
      false,
    );
  });
});
