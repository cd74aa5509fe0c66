import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { publishedConfigKey } from "../../integrations/keys.ts";
import { createWebhook } from "./create-webhook.ts";
import { UpdateWebhookBody } from "./schemas.ts";
import { changeWebhook, getWebhook } from "./store.ts";
import { updateWebhook } from "./update-webhook.ts";

let db: TestDatabase;
let tenant: ReturnType<typeof testTenant>;

const remote = { id: "7", configId: "config" };

beforeEach(async () => {
  db = await testDatabase();
  tenant = testTenant(db);
  const key = publishedConfigKey(tenantId(), "github", "config");
  const Item = { ...key, configId: "config" };
  await db.client.send(new PutCommand({ TableName: db.table, Item }));
});

const tenantId = () => tenant.ctx.tenant.id;
const create = (provider: string) =>
  createWebhook(tenant.deps, {
    ctx: { ...tenant.ctx, baseUrl: "https://api.example.com" },
    body: { provider, externalContext: "acme/app" },
  });
const update = (webhookId: string, body: unknown) =>
  updateWebhook(tenant.deps, { ctx: tenant.ctx, webhookId, body: UpdateWebhookBody.parse(body) });
const registered = async () => {
  const { id } = await create("github");
  await changeWebhook(
    db,
    { tenantId: tenantId(), webhookId: id },
    { status: "ACTIVE", remote, modifiedAt: 1 },
  );
  tenant.sent.length = 0;
  return id;
};
const register = (webhookId: string) => ({
  type: "register-webhook",
  tenantId: tenantId(),
  webhookId,
});

describe("a webhook of a tenant with credentials for the provider", () => {
  test("is pending and queues its registration; another provider's webhook does not", async () => {
    const created = await create("github");
    expect(created.status).toBe("PENDING");
    expect(tenant.sent).toEqual([register(created.id)]);
    expect((await create("gitlab")).status).toBe("ACTIVE");
    expect(tenant.sent).toHaveLength(1);
  });

  test("updates its listener for another filter or secret", async () => {
    const id = await registered();
    expect(await update(id, { filter: "issues" })).toMatchObject({ status: "PENDING" });
    expect(await update(id, { signingSecret: "another" })).toMatchObject({ status: "PENDING" });
    expect(tenant.sent).toEqual([register(id), register(id)]);
    expect(await getWebhook(db, tenantId(), id)).toMatchObject({ remote });
  });

  test("that moves to another place removes the listener at the old one", async () => {
    const id = await registered();
    await update(id, { externalContext: "acme/other" });
    const unregister = {
      type: "unregister-webhook",
      tenantId: tenantId(),
      webhookId: id,
      provider: "github",
      remote,
      externalContext: "acme/app",
    };
    expect(tenant.sent).toEqual([unregister, register(id)]);
    expect(await getWebhook(db, tenantId(), id)).toMatchObject({
      remote: null,
      status: "PENDING",
      externalContext: "acme/other",
    });
  });

  test("that is updated while its listener is saved loses neither", async () => {
    const { id } = await create("github");
    const noted = { status: "ACTIVE", remote, modifiedAt: 1 } as const;
    await Promise.all([
      changeWebhook(db, { tenantId: tenantId(), webhookId: id }, noted),
      update(id, { externalContext: "acme/other" }),
    ]);
    const after = await getWebhook(db, tenantId(), id);
    expect(after?.externalContext).toBe("acme/other");
    const ended = tenant.sent.some((message) =>
      JSON.stringify(message).includes("unregister-webhook"),
    );
    expect(ended).toBe(after?.remote === null);
  });
});
