import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { startToolApi } from "../../../test/harness/tool-api.ts";
import { createToolRegistry } from "../../engine/tools/registry.ts";
import { createIntegrationConfig } from "../config/create-integration-config.ts";
import { deleteIntegrationConfig } from "../config/delete-integration-config.ts";
import { publishIntegrationConfig } from "../config/publish-integration-config.ts";
import { CreateIntegrationConfigBody } from "../config/schemas.ts";
import { updateIntegrationConfig } from "../config/update-integration-config.ts";
import { configToolsLoader } from "./config-tools.ts";
import { tenantTools } from "./tenant-tools.ts";

let db: TestDatabase;
let tenant: ReturnType<typeof testTenant>;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(() => {
  tenant = testTenant(db);
});

const signal = new AbortController().signal;
const processor = testProcessor();
const documentWith = (...ids: readonly string[]): string =>
  JSON.stringify({
    openapi: "3.1.0",
    paths: Object.fromEntries(ids.map((id) => [`/${id}`, { get: { operationId: id } }])),
  });
const create = async (parameters: object, integrationId = "openapi") => {
  const { ctx, deps } = tenant;
  const input = CreateIntegrationConfigBody.parse({ integrationId, parameters });
  const { id } = await createIntegrationConfig(deps, { ctx, body: input });
  return id;
};
const publish = (configId: string, revision?: number) =>
  publishIntegrationConfig(tenant.deps, { ctx: tenant.ctx, configId, revision });
const loader = () =>
  configToolsLoader({
    ...tenant.deps,
    outgoing: { allowPrivateAddresses: true },
    runtime: tenant.ctx,
    sleep: async () => {},
  });
const loadToolIds = async (load: ReturnType<typeof loader>, configId: string, isFresh = false) => [
  ...(
    await load(
      tenant.ctx.tenant.id,
      { integrationId: "openapi", configId },
      { signal, processor, isFresh },
    )
  ).keys(),
];

describe("the tools of a config", () => {
  test("are those of its published revision, immediately after another is published", async () => {
    const load = loader();
    const configId = await create({ document: documentWith("one") });
    await expect(loadToolIds(load, configId)).rejects.toMatchObject({ reason: "unpublished" });
    await publish(configId);
    expect(await loadToolIds(load, configId)).toEqual(["one"]);
    const { ctx, deps } = tenant;
    const body = { parameters: { document: documentWith("two") } };
    await updateIntegrationConfig(deps, { ctx, configId, body });
    expect(await loadToolIds(load, configId)).toEqual(["one"]);
    await publish(configId);
    expect(await loadToolIds(load, configId)).toEqual(["two"]);
    await publish(configId, 1);
    expect(await loadToolIds(load, configId)).toEqual(["one"]);
    await deleteIntegrationConfig(deps, { ctx, configId });
    await expect(loadToolIds(load, configId)).rejects.toMatchObject({ reason: "unknown" });
  });

  test("are unknown to another tenant", async () => {
    const configId = await create({ document: documentWith("one") });
    await publish(configId);
    const other = testTenant(db);
    const load = configToolsLoader({
      ...other.deps,
      outgoing: {},
      runtime: other.ctx,
      sleep: async () => {},
    });
    const name = { integrationId: "openapi", configId };
    await expect(load(other.ctx.tenant.id, name, { signal, processor })).rejects.toMatchObject({
      reason: "unknown",
    });
  });

  test("of a config of another integration are refused", async () => {
    const configId = await create({ url: "https://mcp.example.com" }, "mcp");
    await publish(configId);
    await expect(loadToolIds(loader(), configId)).rejects.toMatchObject({
      reason: "other-integration",
    });
  });

  test("are reloaded after five minutes or on request, and failures are not cached", async () => {
    const api = await startToolApi(() => ({ body: documentWith("one") }));
    try {
      const load = loader();
      const configId = await create({ documentUrl: `${api.url}/api.json` });
      await publish(configId);
      api.script({ status: 500 });
      await expect(loadToolIds(load, configId)).rejects.toThrow("status 500");
      await loadToolIds(load, configId);
      await loadToolIds(load, configId);
      expect(api.requests).toHaveLength(2);
      tenant.advance(301_000);
      await loadToolIds(load, configId);
      expect(api.requests).toHaveLength(3);
      await loadToolIds(load, configId, true);
      expect(api.requests).toHaveLength(4);
    } finally {
      await api.close();
    }
  });

  test("are loaded once for concurrent callers", async () => {
    const api = await startToolApi(() => ({ body: documentWith("one") }));
    try {
      const load = loader();
      const configId = await create({ documentUrl: `${api.url}/api.json` });
      await publish(configId);
      await Promise.all([
        loadToolIds(load, configId),
        loadToolIds(load, configId),
        loadToolIds(load, configId),
      ]);
      expect(api.requests).toHaveLength(1);
    } finally {
      await api.close();
    }
  });
});

test("the tools of a config of end users are not shared while its draft is of the tenant", async () => {
  const api = await startToolApi(() => ({ body: documentWith("one") }));
  try {
    const { ctx, deps } = tenant;
    const authorizationUrl = `${api.url}/authorize`;
    const tokenUrl = `${api.url}/token`;
    const auth = { type: "oauth2", authorizationUrl, tokenUrl, clientId: "c" } as const;
    const body = CreateIntegrationConfigBody.parse({
      integrationId: "openapi",
      parameters: { documentUrl: `${api.url}/api.json` },
      auth: { ...auth, owner: "endUser" },
    });
    const { id: configId } = await createIntegrationConfig(deps, { ctx, body });
    await publish(configId);
    const draft = { auth: { ...auth, owner: "tenant" as const } };
    await updateIntegrationConfig(deps, { ctx, configId, body: draft });
    const load = loader();
    await Promise.all([loadToolIds(load, configId), loadToolIds(load, configId)]);
    expect(api.requests).toHaveLength(2);
  } finally {
    await api.close();
  }
});

describe("a tenant's tools", () => {
  const tools = () =>
    tenantTools(
      { ...tenant.deps, builtIn: createToolRegistry(), loadTools: loader() },
      { tenantId: tenant.ctx.tenant.id },
    );

  test("without a config's id are those of the oldest published config", async () => {
    const name = { integrationId: "openapi", toolId: "one" };
    await expect(tools().load?.(name, { signal, processor })).rejects.toThrow(
      "no published config",
    );
    const first = await create({ document: documentWith("one") });
    const second = await create({ document: documentWith("two") });
    await publish(second);
    await expect(tools().load?.(name, { signal, processor })).rejects.toThrow('has no tool "one"');
    await publish(first);
    expect((await tools().load?.(name, { signal, processor }))?.descriptor.id).toBe("one");
  });
});
