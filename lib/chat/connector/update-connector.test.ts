import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createConnector } from "./create-connector.ts";
import { updateConnector } from "./update-connector.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const replyUrl = "https://chat.example.com/replies";
const start = async () => {
  const tenant = testTenant(db);
  const ctx = { ...tenant.ctx, baseUrl: "https://api.example.com/live" };
  const deps = { ...tenant.deps, outgoing: {} };
  await tenant.createAgent("hello");
  const created = await createConnector(deps, {
    ctx,
    agentId: "hello",
    body: { provider: "generic", parameters: { replyUrl } },
  });
  const update = (body: Parameters<typeof updateConnector>[1]["body"], agentId = "hello") =>
    updateConnector(deps, { ctx, agentId, connectorId: created.id, body });
  return { tenant, created, update };
};

test("a new connector is active, allows everyone and shows the URL for its provider", async () => {
  const { tenant, created } = await start();
  expect(created).toMatchObject({
    active: true,
    policy: "AllowAll",
    parameters: { replyUrl },
    webhookUrl: `https://api.example.com/live/v1/tenants/${tenant.ctx.tenant.id}/connectors/generic/${created.id}`,
  });
});

test("omitted members keep their values", async () => {
  const { tenant, created, update } = await start();
  tenant.advance(1_000);
  expect(await update({ policy: "DenyAll" })).toEqual({
    ...created,
    policy: "DenyAll",
    modifiedAt: created.modifiedAt + 1_000,
  });
});

test("another provider is refused with its pointer", async () => {
  const { update } = await start();
  await expect(update({ provider: "slack" })).rejects.toMatchObject({
    slug: "validation-failed",
    members: { errors: [expect.objectContaining({ pointer: "/provider" })] },
  });
});

test("a connector does not exist for another agent", async () => {
  const { tenant, update } = await start();
  await tenant.createAgent("other");
  await expect(update({ name: "x" }, "other")).rejects.toMatchObject({ slug: "not-found" });
});
