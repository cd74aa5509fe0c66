import { expect, test } from "vitest";
import { linkRow, runLink } from "../../test/harness/link.ts";
import { TenantId } from "../platform/db/tenant-id.ts";
import type { CollaboratorRole } from "../tenancy/collaborator/role.ts";
import { collaboratorStatus } from "../tenancy/collaborator/status.ts";
import { authorize } from "./authorize.ts";
import type { Ahead } from "./read-agent-ahead.ts";

const noDatabase = () => {
  throw new Error("no storage is needed");
};
const principal = { type: "ApiKey", id: "k", organizationId: "o", scopes: ["agents:write"] };
const known = { database: noDatabase, principal, pathValues: {}, tenant: undefined };

test("a principal with the row's scope passes, without a storage call", async () => {
  expect((await runLink(authorize(linkRow), { known })).status).toBe(200);
});

test("a principal without it is refused with 403 that names it", async () => {
  const without = { ...known, principal: { ...principal, scopes: ["agents:read"] } };
  expect((await runLink(authorize(linkRow), { known: without })).problem).toMatchObject({
    status: 403,
    requiredScope: "agents:write",
  });
});

test("a user is refused where only API keys are taken", async () => {
  const link = authorize({ ...linkRow, scope: "api-key" });
  const user = { ...known, principal: { ...principal, type: "User" } };
  expect((await runLink(link, { known: user })).slug).toBe("unauthenticated");
  expect((await runLink(link, { known })).status).toBe(200);
});

const tenantId = TenantId.parse("00000000-0000-7000-8000-000000000001");
const reading = { ...linkRow, role: "Editor", readsAgent: true } as const;
const asAda = {
  ...known,
  principal: { ...principal, userIds: ["ada"] },
  pathValues: { agent: "hello" },
  tenant: { id: tenantId },
};
const toAhead = (role: CollaboratorRole, more: Partial<Ahead> = {}): Ahead => ({
  tenantId,
  agentId: "hello",
  userIds: ["ada"],
  read: Promise.resolve({
    agent: { displayName: "Hello" },
    held: [{ agentId: "hello", userId: "ada", role, status: collaboratorStatus.active }],
  }),
  ...more,
});

test("a role that was read ahead is checked as any other, and saves its read", async () => {
  const { status, context } = await runLink(authorize(reading), {
    known: { ...asAda, ahead: toAhead("Editor") },
  });
  expect([status, context.readAgent]).toEqual([200, { item: { displayName: "Hello" } }]);
  const refused = await runLink(authorize(reading), {
    known: { ...asAda, ahead: toAhead("Viewer") },
  });
  expect(refused.status).toBe(403);
});

test.each([
  ["of another tenant", { tenantId: TenantId.parse("00000000-0000-7000-8000-000000000002") }],
  ["of another agent", { agentId: "other" }],
  ["of other users", { userIds: ["bob"] }],
  ["that could not be read", { read: Promise.resolve(undefined) }],
])("a role %s that was read ahead is not used", async (_, more) => {
  let reads = 0;
  const database = () => {
    reads += 1;
    throw new Error("the storage is asked");
  };
  const ahead = toAhead("Owner", more);
  await runLink(authorize(reading), { known: { ...asAda, database, ahead } });
  expect(reads).toBe(1);
});
