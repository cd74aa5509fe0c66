import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { hashApiKey } from "../../platform/auth/api-key-format.ts";
import { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { maxActiveKeys } from "../../platform/runtime/env.ts";
import { readKeyByHash } from "../../tenancy/api-key/key-hash-store.ts";
import { keyCountKey } from "../../tenancy/api-key/keys.ts";
import { revokeApiKey } from "../../tenancy/api-key/revoke-api-key.ts";
import { rotateApiKey } from "../../tenancy/api-key/rotate-api-key.ts";
import { getApiKey, listAuditEventsNewestFirst } from "../../tenancy/api-key/store.ts";
import { updateApiKey } from "../../tenancy/api-key/update-api-key.ts";
import { createIntegrationConfig } from "./create-integration-config.ts";
import { deleteIntegrationConfig } from "./delete-integration-config.ts";
import { rotateMcpKey } from "./rotate-mcp-key.ts";
import { CreateIntegrationConfigBody, UpdateIntegrationConfigBody } from "./schemas.ts";
import { getIntegrationConfig } from "./store.ts";
import { toIntegrationConfig } from "./to-integration-config.ts";
import { updateIntegrationConfig } from "./update-integration-config.ts";

const PublishedEvent = z.object({ event: OrganizationEvent });

let db: TestDatabase;
let tenant: ReturnType<typeof testTenant>;
/** Of the calls, which all come after what was done before. */
let ctx: ReturnType<typeof testTenant>["ctx"] & { respondBy: number; baseUrl: string };

const later = () => {
  tenant.advance(1_000);
  ctx = { ...tenant.ctx, startedAt: tenant.ctx.clock(), respondBy: 0, baseUrl: "" };
};
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(() => {
  tenant = testTenant(db);
  later();
});

const create = async (exposeMcp = true) =>
  toIntegrationConfig(
    await createIntegrationConfig(tenant.deps, {
      ctx,
      body: CreateIntegrationConfigBody.parse({ integrationId: "system", exposeMcp }),
    }),
  );
const update = async (configId: string, body: unknown) => {
  later();
  const input = { configId, body: UpdateIntegrationConfigBody.parse(body) };
  return toIntegrationConfig(await updateIntegrationConfig(tenant.deps, { ctx, ...input }));
};
const rotate = async (configId: string) => {
  later();
  return toIntegrationConfig(await rotateMcpKey(tenant.deps, { ctx, configId }));
};
const remove = (configId: string) => deleteIntegrationConfig(tenant.deps, { ctx, configId });
const requireMcpKey = ({ mcpKey }: Awaited<ReturnType<typeof create>>) => {
  if (!mcpKey?.key) throw new Error("no key is shown");
  return { id: mcpKey.id, secret: mcpKey.key };
};
const works = async (secret: string) => (await readKeyByHash(db, hashApiKey(secret))) !== undefined;
const listAuditTypes = async (keyId: string) =>
  (await listAuditEventsNewestFirst(db, keyId, { size: 50, skip: 0 })).items
    .map(({ type }) => type)
    .toReversed();

describe("a config that exposes MCP", () => {
  test("is created with a dedicated key, returned once, and its audit event", async () => {
    const config = await create();
    const { id, secret } = requireMcpKey(config);
    expect(config.exposeMcp).toBe(true);
    expect(await readKeyByHash(db, hashApiKey(secret))).toMatchObject({
      keyId: id,
      scopes: ["mcp:invoke"],
      mcpConfigId: config.id,
      expiresAt: null,
    });
    expect(await listAuditTypes(id)).toEqual(["Issued"]);
    const item = await getIntegrationConfig(db, tenant.ctx.tenant.id, config.id);
    expect(item && toIntegrationConfig(item).mcpKey).toEqual({ id, key: null });
    expect(JSON.stringify(await db.scan())).not.toContain(secret);
  });

  test("publishes the events of its key", async () => {
    const config = await create();
    await rotate(config.id);
    await update(config.id, { exposeMcp: false });
    await update(config.id, { exposeMcp: true });
    await remove(config.id);
    const events = tenant.sent.flatMap((sent) => PublishedEvent.safeParse(sent).data?.event ?? []);
    expect(events.map(({ type }) => type)).toEqual([
      "api_key.issued",
      "api_key.rotated",
      "api_key.revoked",
      "api_key.issued",
      "api_key.revoked",
    ]);
  });

  test("has no key without exposeMcp, nor when its transaction fails", async () => {
    expect(await create(false)).toMatchObject({ exposeMcp: false, mcpKey: null });
    db.failNext("TransactWriteItems");
    await expect(create()).rejects.toThrow("planned");
    const own = tenant.ctx.principal.organizationId;
    expect((await db.scan()).filter((item) => JSON.stringify(item).includes(own))).toEqual([]);
  });

  test.each([
    ["created", () => create()],
    ["switched on", (id: string) => update(id, { exposeMcp: true })],
  ])(
    "is refused with the limit when it is %s while another takes the last place",
    async (_, expose) => {
      const Item = {
        ...keyCountKey(tenant.ctx.principal.organizationId),
        active: maxActiveKeys() - 1,
      };
      await db.client.send(new PutCommand({ TableName: db.table, Item }));
      const { id } = await create(false);
      db.beforeNext("TransactWriteItems", () => create());
      await expect(expose(id)).rejects.toMatchObject({
        slug: "conflict",
        message: expect.stringContaining("active API keys"),
      });
    },
  );

  test("keeps its key when it is updated, and revokes it when exposeMcp is unset", async () => {
    const config = await create();
    const { id, secret } = requireMcpKey(config);
    expect((await update(config.id, { ...config, displayName: "b" })).mcpKey).toEqual({
      id,
      key: null,
    });
    expect(await works(secret)).toBe(true);
    expect(await update(config.id, { exposeMcp: false })).toMatchObject({
      exposeMcp: false,
      mcpKey: null,
    });
    expect(await works(secret)).toBe(false);
    expect(await listAuditTypes(id)).toEqual(["Issued", "Revoked"]);
    const again = requireMcpKey(await update(config.id, { exposeMcp: true }));
    expect(again.id).not.toBe(id);
    expect(await works(again.secret)).toBe(true);
  });

  test("creates no revision for exposeMcp alone, and a concurrent update loses neither change", async () => {
    const { id } = await create(false);
    const shown = await update(id, { exposeMcp: true });
    expect(shown.latestRevision).toBe(1);
    expect(shown.modifiedAt).toBeGreaterThan(shown.createdAt);
    const renamed = await update(id, { exposeMcp: false, displayName: "b" });
    expect(renamed).toMatchObject({ latestRevision: 2, displayName: "b", mcpKey: null });
    await Promise.all([update(id, { exposeMcp: true }), update(id, { displayName: "c" })]);
    const item = await getIntegrationConfig(db, tenant.ctx.tenant.id, id);
    expect(item && toIntegrationConfig(item)).toMatchObject({
      displayName: "c",
      latestRevision: 3,
      exposeMcp: true,
    });
  });

  test("revokes its key when it is deleted", async () => {
    const config = await create();
    const { id, secret } = requireMcpKey(config);
    await remove(config.id);
    expect(await works(secret)).toBe(false);
    expect(await listAuditTypes(id)).toEqual(["Issued", "Revoked"]);
  });

  test("can be deleted and stop exposing MCP after its key was revoked", async () => {
    for (const end of [remove, (id: string) => update(id, { exposeMcp: false })]) {
      const config = await create();
      const { id } = requireMcpKey(config);
      await revokeApiKey(tenant.deps, { ctx, keyId: id });
      await expect(rotate(config.id)).rejects.toMatchObject({ slug: "conflict" });
      await end(config.id);
      expect(await listAuditTypes(id)).toEqual(["Issued", "Revoked"]);
    }
  });

  test("does not return its key to a caller without the scope, but is created", async () => {
    const scopes = ["integrations:write"];
    ctx = { ...ctx, principal: { ...ctx.principal, scopes } };
    const config = await create();
    expect(config.mcpKey).toEqual({ id: expect.any(String), key: null });
    const body = { configId: config.id };
    await expect(rotateMcpKey(tenant.deps, { ctx, ...body })).rejects.toMatchObject({
      slug: "scope-escalation",
    });
  });

  test.each([
    [{ agents: "hello" }, "/parameters/agents"],
    [{ agents: ["no/id"] }, "/parameters/agents/0"],
    [{ tools: [1] }, "/parameters/tools/0"],
  ])("is refused with an offer of %j", async (parameters, pointer) => {
    const refusal = { slug: "validation-failed", members: { errors: [{ pointer }] } };
    const { id } = await create();
    await expect(update(id, { parameters })).rejects.toMatchObject(refusal);
  });
});

describe("a config's key", () => {
  test("keeps its id when rotated, with a new secret and an event", async () => {
    const config = await create();
    const other = requireMcpKey(await create());
    const { id, secret } = requireMcpKey(config);
    const rotated = requireMcpKey(await rotate(config.id));
    expect(rotated.id).toBe(id);
    expect(rotated.secret).not.toBe(secret);
    expect([await works(secret), await works(rotated.secret)]).toEqual([false, true]);
    expect(await works(other.secret)).toBe(true);
    expect(await listAuditTypes(id)).toEqual(["Issued", "Rotated"]);
    expect(await readKeyByHash(db, hashApiKey(rotated.secret))).toMatchObject({
      mcpConfigId: config.id,
      scopes: ["mcp:invoke"],
    });
  });

  test("never gets other scopes", async () => {
    const { id: keyId } = requireMcpKey(await create());
    const scopes = ["mcp:invoke" as const, "agents:read" as const];
    later();
    const refusal = { slug: "conflict" };
    const body = { scopes, graceSeconds: 0 };
    await expect(updateApiKey(tenant.deps, { ctx, keyId, body: { scopes } })).rejects.toMatchObject(
      refusal,
    );
    await expect(rotateApiKey(tenant.deps, { ctx, keyId, body })).rejects.toMatchObject(refusal);
  });

  test("is not rotated for a config that does not exist or does not expose MCP", async () => {
    const { id } = await create(false);
    await expect(rotate(id)).rejects.toMatchObject({ slug: "conflict" });
    await expect(rotate("nope")).rejects.toMatchObject({ slug: "not-found" });
  });

  test("is rotated by at most one of two concurrent requests", async () => {
    const config = await create();
    later();
    const rotateOnce = () => rotateMcpKey(tenant.deps, { ctx, configId: config.id });
    const outcomes = await Promise.allSettled([rotateOnce(), rotateOnce()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await listAuditTypes(requireMcpKey(config).id)).toEqual(["Issued", "Rotated"]);
  });

  test.each([
    ["switched off", (id: string) => update(id, { exposeMcp: false })],
    ["deleted", remove],
  ])(
    "never outlives its config, which is %s while it is rotated",
    { tags: "nightly" },
    async (_, end) => {
      for (let round = 0; round < 10; round += 1) {
        const config = await create();
        const { id, secret } = requireMcpKey(config);
        const [rotated, ended] = await Promise.allSettled([rotate(config.id), end(config.id)]);
        expect(ended.status).toBe("fulfilled");
        expect(await works(secret)).toBe(false);
        if (rotated.status === "fulfilled") {
          expect(await works(requireMcpKey(rotated.value).secret)).toBe(false);
        }
        const key = await getApiKey(db, tenant.ctx.principal.organizationId, id);
        expect(key?.revokedAt).not.toBeNull();
      }
    },
  );

  test("is minted once by concurrent requests to expose MCP", async () => {
    const { id } = await create(false);
    const shown = await Promise.all(
      Array.from({ length: 4 }, () => update(id, { exposeMcp: true })),
    );
    const ids = new Set(shown.map(({ mcpKey }) => mcpKey?.id));
    expect(ids.size).toBe(1);
    expect(shown.filter(({ mcpKey }) => mcpKey?.key).length).toBe(1);
  });
});
