import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { requireRole } from "../../edge/authorize.ts";
import { linkAddress } from "../../platform/auth/last-call-store.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { countUserRequests } from "../../platform/auth/store.ts";
import { claimInvitation } from "./claim-invitation.ts";
import { deleteCollaborator } from "./delete-collaborator.ts";
import { putCollaborator } from "./put-collaborator.ts";
import { PutCollaboratorBody } from "./schemas.ts";
import { listCollaborators } from "./store.ts";
import { withStatus } from "./with-status.ts";

const address = "ada@example.com";

describe("an invitation to an address", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    tenant = testTenant(db);
    await tenant.createAgent("hello");
  });

  const tenantId = () => tenant.ctx.tenant.id;
  const principal = (id: string, verified?: string): Principal => ({
    ...tenant.ctx.principal,
    id,
    userIds: [id, ...(verified === undefined ? [] : [verified])],
  });
  const put = (userId: string, role: string, caller = principal("admin")) =>
    putCollaborator(
      { db },
      {
        ctx: { ...tenant.ctx, principal: caller },
        agentId: "hello",
        userId,
        body: PutCollaboratorBody.parse({ role }),
      },
    );
  const remove = (userId: string) =>
    deleteCollaborator({ db }, { ctx: tenant.ctx, agentId: "hello", userId });
  const stored = async () =>
    (await listCollaborators(db, tenantId(), "hello"))
      .filter(({ userId }) => userId !== "admin")
      .map(({ userId, role, status }) => ({ userId, role, status }));
  const shown = async () =>
    (
      await withStatus(
        db,
        tenant.ctx.tenant.organizationId,
        await listCollaborators(db, tenantId(), "hello"),
      )
    )
      .filter(({ userId }) => userId !== "admin")
      .map(({ userId, role, status }) => ({ userId, role, status }));
  /** A call of a user with a verified address, as it is counted. */
  const signIn = async (userId: string, verified = address) => {
    tenant.advance(1);
    const user = { organizationId: tenant.ctx.tenant.organizationId, userId, address: verified };
    await countUserRequests(db, user, { now: tenant.ctx.clock(), windowMs: 1_000 }, 1);
    await linkAddress(db, user);
  };
  /** A call that may write, at the agent. */
  const write = (caller: Principal, role: "Viewer" | "Editor" | "Owner" = "Editor") =>
    requireRole(
      { database: () => db },
      {
        row: { role, scope: "agents:write", access: { table: "write" }, readsAgent: false },
        principal: caller,
        tenantId: tenantId(),
        agentId: "hello",
      },
    );

  test("becomes the user's with their first call with it as a verified address, and is shown as theirs immediately", async () => {
    expect(await put(address, "Editor")).toMatchObject({
      userId: address,
      status: 0,
      email: address,
    });
    expect(await shown()).toEqual([{ userId: address, role: "Editor", status: 0 }]);
    await signIn("sub-ada");
    expect(await shown()).toEqual([{ userId: "sub-ada", role: "Editor", status: 1 }]);
    expect(await stored()).toEqual([{ userId: address, role: "Editor", status: 0 }]);
    await write(principal("sub-ada", address));
    expect(await stored()).toEqual([{ userId: "sub-ada", role: "Editor", status: 1 }]);
    // The user keeps the role under another address. Another user who gets this address has no role.
    await expect(write(principal("sub-ada", "new@example.com"), "Owner")).rejects.toMatchObject({
      slug: "insufficient-scope",
    });
    await write(principal("sub-eve", address), "Owner");
    expect(await stored()).toHaveLength(1);
  });

  test("limits the first call already", async () => {
    await put(address, "Viewer");
    await expect(write(principal("sub-ada", address))).rejects.toMatchObject({
      slug: "insufficient-scope",
    });
    expect(await stored()).toEqual([{ userId: "sub-ada", role: "Viewer", status: 1 }]);
  });

  test("matches in any case, once", async () => {
    await put("Ada@EXAMPLE.com", "Viewer");
    await put("aDA@example.COM", "Editor");
    expect(await stored()).toEqual([{ userId: address, role: "Editor", status: 0 }]);
    await remove("ADA@example.com");
    expect(await stored()).toEqual([]);
  });

  test("ignores earlier calls, addresses that are not verified, and former addresses", async () => {
    await signIn("sub-ada");
    tenant.advance(1);
    await put(address, "Viewer");
    expect(await shown()).toMatchObject([{ userId: address, status: 0 }]);
    await signIn("sub-ada", "new@example.com");
    expect(await shown()).toMatchObject([{ userId: address, status: 0 }]);
    await write({ ...principal("sub-eve"), email: address }, "Owner");
    expect(await stored()).toMatchObject([{ userId: address, status: 0 }]);
  });

  test("changed or withdrawn by address after the sign-in changes or removes the user", async () => {
    await put(address, "Viewer");
    await signIn("sub-ada");
    expect(await put(address, "Owner")).toMatchObject({ userId: "sub-ada", role: "Owner" });
    expect(await put("sub-ada", "Editor")).toMatchObject({ userId: "sub-ada", status: 1 });
    expect(await stored()).toEqual([{ userId: "sub-ada", role: "Editor", status: 1 }]);
    await remove(address);
    expect(await stored()).toEqual([]);
    await expect(remove(address)).rejects.toMatchObject({ slug: "not-found" });
  });

  test("to the caller's own address is the caller's, active", async () => {
    const caller = principal("sub-ada", address);
    expect(await put(address, "Editor", caller)).toMatchObject({ userId: "sub-ada", status: 1 });
  });

  test("of a user who is a collaborator gives them the higher role, and keeps the counts", async () => {
    await put("sub-ada", "Viewer");
    await put(address, "Owner");
    await write(principal("sub-ada", address), "Owner");
    expect(await stored()).toEqual([{ userId: "sub-ada", role: "Owner", status: 1 }]);
    await remove("admin");
    await expect(remove("sub-ada")).rejects.toMatchObject({ slug: "conflict" });
    await put("bob", "Owner");
    await put("bob@example.com", "Owner");
    await write(principal("bob", "bob@example.com"), "Owner");
    await remove("sub-ada");
    await expect(remove("bob")).rejects.toMatchObject({ slug: "conflict" });
  });

  test("claimed by several users concurrently becomes one user's", async () => {
    await put(address, "Owner");
    const users = Array.from({ length: 5 }, () => `sub-${randomUUID()}`);
    const claims = users.map((userId) =>
      claimInvitation({ db }, { tenantId: tenantId(), agentId: "hello", address, userId }),
    );
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
    const [owner, ...others] = await stored();
    expect(others).toEqual([]);
    await remove("admin");
    await expect(remove(owner?.userId ?? "")).rejects.toMatchObject({ slug: "conflict" });
  });

  test("claimed by one user in several concurrent calls is theirs once", async () => {
    await put(address, "Editor");
    const caller = principal("sub-ada", address);
    await Promise.all(Array.from({ length: 4 }, () => write(caller)));
    expect(await stored()).toEqual([{ userId: "sub-ada", role: "Editor", status: 1 }]);
  });

  test("changed or withdrawn while it is claimed ends as one collaborator with the last role, or none", {
    tags: "nightly",
  }, async () => {
    await put(address, "Editor");
    await signIn("sub-ada");
    const caller = principal("sub-ada", address);
    await Promise.all([put(address, "Owner"), write(caller), put("Ada@example.com", "Owner")]);
    expect(await stored()).toEqual([{ userId: "sub-ada", role: "Owner", status: 1 }]);
    await remove(address);
    await put(address, "Editor");
    await signIn("sub-ada");
    await Promise.all([remove(address), write(caller)]);
    expect(await stored()).toEqual([]);
  });

  test("leaves a collaborator with the address as their id unchanged", async () => {
    const owner = principal(address);
    await put(address, "Owner", owner);
    await write(principal("sub-ada", address), "Owner");
    expect(await stored()).toEqual([{ userId: address, role: "Owner", status: 1 }]);
  });

  test("of a deleted agent cannot be claimed", async () => {
    await put(address, "Editor");
    await deleteAgent(tenant.deps, { tenantId: tenantId(), agentId: "hello" });
    const claim = { tenantId: tenantId(), agentId: "hello", address, userId: "sub-ada" };
    await expect(claimInvitation({ db }, claim)).rejects.toMatchObject({ slug: "conflict" });
  });
});
