import { generateKeyPairSync, type KeyObject } from "node:crypto";
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

const generateEc = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve }).privateKey;
const toPem = (key: KeyObject) => `${key.export({ type: "pkcs8", format: "pem" })}`;
const pem = toPem(generateEc("P-256"));

const base = {
  type: "oauth2",
  issuer: "https://login.example.com",
  clientId: "wharf",
  clientPrivateKey: pem,
};

const tools = { document: '{"openapi":"3.1.0","paths":{}}', baseUrl: "https://api.example.com" };

const create = async (auth: object, integrationId = "openapi") => {
  const tenant = testTenant(db);
  const parameters = integrationId === "mcp" ? { url: "https://mcp.example.com" } : tools;
  const body = CreateIntegrationConfigBody.parse({ integrationId, parameters, auth });
  const config = await createIntegrationConfig(tenant.deps, { ctx: tenant.ctx, body });
  return { ...tenant, config: toIntegrationConfig(config) };
};

describe("a client's private key", () => {
  test("is sealed, shown as a mask, and kept where the mask is sent", async () => {
    const { config, ctx, deps } = await create(base);
    expect(config.auth?.clientPrivateKey).toBe("********");
    const body = UpdateIntegrationConfigBody.parse({
      auth: { ...base, clientPrivateKey: "********", scopes: ["files.read"] },
    });
    const configId = config.id;
    await updateIntegrationConfig(deps, { ctx, configId, body });
    await publishIntegrationConfig(deps, { ctx, configId, revision: undefined });
    const tenantId = ctx.tenant.id;
    const published = await readPublishedConfig(deps, { tenantId, configId });
    expect(published?.oauth).toMatchObject({ clientPrivateKey: pem, scopes: ["files.read"] });
    expect(published?.auth).toEqual({});
    const [, secret = ""] = pem.split("\n");
    expect(JSON.stringify(await db.scan())).not.toContain(secret);
  });

  test("cannot be kept when the issuer changes", async () => {
    const { config, ctx, deps } = await create(base);
    const auth = { ...base, issuer: "https://other.example.com", clientPrivateKey: "********" };
    const body = UpdateIntegrationConfigBody.parse({ auth });
    await expect(
      updateIntegrationConfig(deps, { ctx, configId: config.id, body }),
    ).rejects.toMatchObject({ slug: "validation-failed" });
  });

  test.each([
    ["a JWK of EC P-256", () => JSON.stringify(generateEc("P-256").export({ format: "jwk" }))],
    ["Ed25519", () => toPem(generateKeyPairSync("ed25519").privateKey)],
    ["RSA", () => toPem(generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey)],
  ])("may be %s", async (_, generate) => {
    const { config } = await create({ ...base, clientPrivateKey: generate() });
    expect(config.auth?.clientPrivateKey).toBe("********");
  });

  const toPublic = () =>
    `${generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" })}`;
  const toLargeRsa = () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const n = Buffer.alloc(1_100, 255).toString("base64url");
    return JSON.stringify({ ...privateKey.export({ format: "jwk" }), n });
  };
  test.each<[string, object, string, string?]>([
    ["a text", { clientPrivateKey: "a-secret" }, "/auth/clientPrivateKey"],
    ["a public key", { clientPrivateKey: toPublic() }, "/auth/clientPrivateKey"],
    ["another curve", { clientPrivateKey: toPem(generateEc("P-384")) }, "/auth/clientPrivateKey"],
    [
      "of an RSA modulus that is too large",
      { clientPrivateKey: toLargeRsa() },
      "/auth/clientPrivateKey",
    ],
    ["broken JSON", { clientPrivateKey: "{" }, "/auth/clientPrivateKey"],
    [
      "among other credentials",
      { clientPrivateKey: null, parameters: { clientPrivateKey: pem } },
      "/auth/parameters/clientPrivateKey",
    ],
    ["next to a secret", { clientSecret: "secret" }, "/auth/clientPrivateKey"],
    ["with the way of a secret", { clientAuthentication: "post" }, "/auth/clientAuthentication"],
    ["without a client", { clientId: null }, "/auth/clientId"],
    ["without a client, of mcp", { clientId: null }, "/auth/clientId", "mcp"],
    [
      "without an issuer",
      {
        issuer: null,
        tokenUrl: "https://login.example.com/token",
        authorizationUrl: "https://login.example.com/authorize",
      },
      "/auth/issuer",
    ],
    [
      "for the endpoint of an issuer that an MCP server chooses",
      { issuer: null, clientAssertionAudience: "endpoint" },
      "/auth/issuer",
      "mcp",
    ],
    [
      "absent, with its audience",
      { clientPrivateKey: null, clientAssertionAudience: "issuer" },
      "/auth/clientAssertionAudience",
    ],
  ])("is refused: %s", async (_, auth, pointer, integrationId = "openapi") => {
    await expect(create({ ...base, ...auth }, integrationId)).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [expect.objectContaining({ pointer })] },
    });
  });

  test("needs no issuer where an MCP server names it", async () => {
    const { config } = await create({ ...base, issuer: null }, "mcp");
    expect(config.auth?.clientPrivateKey).toBe("********");
  });
});
