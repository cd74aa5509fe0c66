import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { hashApiKey } from "../../platform/auth/api-key-format.ts";
import { presets } from "../../platform/auth/scopes.ts";
import { readKeyByHash } from "../../tenancy/api-key/key-hash-store.ts";
import { rotateApiKey } from "../../tenancy/api-key/rotate-api-key.ts";
import { authorizeDedicatedKey } from "./authorize-offer.ts";
import { createIntegrationConfig } from "./create-integration-config.ts";
import { publishIntegrationConfig } from "./publish-integration-config.ts";
import { rotateMcpKey } from "./rotate-mcp-key.ts";
import { CreateIntegrationConfigBody, UpdateIntegrationConfigBody } from "./schemas.ts";
import { getIntegrationConfig } from "./store.ts";
import { toIntegrationConfig } from "./to-integration-config.ts";
import { updateIntegrationConfig } from "./update-integration-config.ts";

let db: TestDatabase;
let tenant: ReturnType<typeof testTenant>;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(() => {
  tenant = testTenant(db);
});

type Caller = "admin" | "manager";

/** An admin, or a caller who may manage configs and their keys but not run agents. */
const as = (caller: Caller) => {
  tenant.advance(1_000);
  const scopes = presets.Admin.filter((scope) => caller === "admin" || scope !== "agents:execute");
  const { ctx } = tenant;
  const principal = { ...ctx.principal, id: caller, userIds: [caller], scopes };
  return { ...ctx, principal, startedAt: ctx.clock(), respondBy: 0 };
};

const create = async (body: object) => {
  const input = CreateIntegrationConfigBody.parse({ integrationId: "system", ...body });
  const config = await createIntegrationConfig(tenant.deps, { ctx: as("admin"), body: input });
  return toIntegrationConfig(config);
};
const change = async (caller: Caller, configId: string, body: object) => {
  const input = { configId, body: UpdateIntegrationConfigBody.parse(body) };
  return updateIntegrationConfig(tenant.deps, { ctx: as(caller), ...input });
};
const publish = (caller: Caller, configId: string, revision: number) =>
  publishIntegrationConfig(tenant.deps, { ctx: as(caller), configId, revision });
const rotations: Record<string, (caller: Caller, config: CreatedConfig) => Promise<unknown>> = {
  "of the config": (caller, { id }) => rotateMcpKey(tenant.deps, { ctx: as(caller), configId: id }),
  "of the API key": async (caller, { mcpKey }) => {
    const ctx = as(caller);
    const keyId = mcpKey?.id ?? "";
    const conditions = await authorizeDedicatedKey(db, ctx, keyId);
    const input = { keyId, body: { graceSeconds: 0 }, conditions };
    return rotateApiKey(tenant.deps, { ctx, ...input });
  },
};
type CreatedConfig = Awaited<ReturnType<typeof create>>;

/** Creates a config. Its published revision 1 offers nothing; its revision 2 offers an agent. */
const prepare = async ({ exposed }: { exposed: boolean }) => {
  const config = await create({ exposeMcp: exposed });
  await publish("admin", config.id, 1);
  await change("admin", config.id, { parameters: { agents: ["target"] } });
  await change("admin", config.id, { parameters: {} });
  return config;
};
const stored = (configId: string) => getIntegrationConfig(db, tenant.ctx.tenant.id, configId);

describe("a caller without agents:execute", () => {
  test("exposes no config with a concurrently published revision that offers an agent", async () => {
    const { id } = await prepare({ exposed: false });
    db.beforeNext("TransactWriteItems", () => publish("manager", id, 2));
    await expect(change("manager", id, { exposeMcp: true })).rejects.toMatchObject({
      slug: "insufficient-scope",
    });
    expect((await stored(id))?.mcpKeyId).toBeUndefined();
  });

  test("exposes no config in a further revision when the published one comes to offer an agent", async () => {
    const { id } = await prepare({ exposed: false });
    db.beforeNext("TransactWriteItems", () => publish("manager", id, 2));
    const body = { displayName: "Harmless", exposeMcp: true };
    await expect(change("manager", id, body)).rejects.toMatchObject({
      slug: "insufficient-scope",
    });
    expect((await stored(id))?.mcpKeyId).toBeUndefined();
  });

  test("publishes no revision with an agent of a config that is exposed meanwhile", async () => {
    const { id } = await prepare({ exposed: false });
    db.beforeNext("TransactWriteItems", () => change("manager", id, { exposeMcp: true }));
    await expect(publish("manager", id, 2)).rejects.toMatchObject({ slug: "insufficient-scope" });
    expect(await stored(id)).toMatchObject({ publishedRevision: 1 });
  });

  test("publishes no agent that another caller withdraws concurrently", async () => {
    const { id } = await prepare({ exposed: true });
    await publish("admin", id, 2);
    db.beforeNext("TransactWriteItems", () => publish("admin", id, 1));
    await expect(publish("manager", id, 2)).rejects.toMatchObject({ slug: "insufficient-scope" });
    expect(await stored(id)).toMatchObject({ publishedRevision: 1 });
  });

  test.each(Object.keys(rotations))(
    "gets no secret of a key that concurrently comes to run an agent: %s",
    async (name) => {
      const config = await prepare({ exposed: true });
      db.beforeNext("TransactWriteItems", () => publish("admin", config.id, 2));
      await expect(rotations[name]?.("manager", config)).rejects.toMatchObject({
        slug: "conflict",
      });
      const secret = config.mcpKey?.key ?? "";
      expect(await readKeyByHash(db, hashApiKey(secret))).toMatchObject({ validUntil: null });
      await expect(rotations[name]?.("manager", config)).rejects.toMatchObject({
        slug: "insufficient-scope",
      });
    },
  );

  test("publishes concurrently if no agent is offered", async () => {
    const { id } = await prepare({ exposed: true });
    db.beforeNext("TransactWriteItems", () => publish("admin", id, 3));
    expect(await publish("manager", id, 1)).toMatchObject({ publishedRevision: 1 });
  });
});
