import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createAgent } from "../../agents/agent/create-agent.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { requireRole } from "../../edge/authorize.ts";
import type { Route } from "../../edge/route.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { deleteCollaborator } from "./delete-collaborator.ts";
import { putCollaborator } from "./put-collaborator.ts";
import type { CollaboratorRole } from "./role.ts";
import { PutCollaboratorBody } from "./schemas.ts";
import { listCollaborators, maxCollaborators } from "./store.ts";

describe("the collaborators of an agent", () => {
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
  const principal = (id: string, type: Principal["type"] = "User"): Principal => ({
    ...tenant.ctx.principal,
    type,
    id,
    userIds: type === "User" ? [id] : [],
  });
  const put = (userId: string, body: object, by = "admin", agentId = "hello") =>
    putCollaborator(
      { db },
      {
        ctx: { ...tenant.ctx, principal: principal(by) },
        agentId,
        userId,
        body: PutCollaboratorBody.parse(body),
      },
    );
  const remove = (userId: string, agentId = "hello") =>
    deleteCollaborator({ db }, { ctx: tenant.ctx, agentId, userId });
  const list = (agentId = "hello") => listCollaborators(db, tenantId(), agentId);
  const roles = async () =>
    Object.fromEntries((await list()).map(({ userId, role }) => [userId, role]));

  test("start with the user who creates it, as an active Owner", async () => {
    expect(await list()).toEqual([
      {
        agentId: "hello",
        userId: "admin",
        role: "Owner",
        email: "admin@example.com",
        firstName: null,
        lastName: null,
        createdAt: tenant.ctx.clock(),
        modifiedAt: tenant.ctx.clock(),
        status: 1,
        alertPreferences: {
          errorAlerts: true,
          accessRequestAlerts: true,
          approvalAlerts: true,
          budgetAlerts: true,
        },
      },
    ]);
  });

  test("are not created for an agent that is refused", async () => {
    await put("eve", { role: "Owner" });
    await remove("admin");
    await expect(tenant.createAgent("hello")).rejects.toMatchObject({ slug: "conflict" });
    expect(await roles()).toEqual({ eve: "Owner" });
  });

  test("do not exist if a key creates it; they may be added with any role, and once there is an Owner one stays", async () => {
    await createAgent(tenant.deps, {
      ctx: { ...tenant.ctx, principal: principal("key", "ApiKey") },
      body: { id: "keyed", displayName: "Keyed" },
    });
    expect(await list("keyed")).toEqual([]);
    await put("ada", { role: "Viewer" }, "admin", "keyed");
    await remove("ada", "keyed");
    await put("bob", { role: "Owner" }, "admin", "keyed");
    await expect(remove("bob", "keyed")).rejects.toMatchObject({ slug: "conflict" });
  });

  test("are invited by others; users who add themselves are active", async () => {
    expect(await put("ada", { role: "Editor" })).toMatchObject({ status: 0, email: null });
    expect(await put("bob", { role: "Editor" }, "bob")).toMatchObject({ status: 1 });
  });

  test("change only in the members that are sent; null clears them", async () => {
    const created = await put("ada", {
      role: "Editor",
      email: "ada@example.com",
      firstName: "Ada",
      alertPreferences: { budgetAlerts: true },
    });
    expect(created.alertPreferences).toEqual({
      errorAlerts: false,
      accessRequestAlerts: false,
      approvalAlerts: false,
      budgetAlerts: true,
    });
    tenant.advance(7);
    const changed = await put("ada", {
      role: "Viewer",
      firstName: null,
      alertPreferences: { errorAlerts: true },
    });
    expect(changed).toEqual({
      ...created,
      role: "Viewer",
      firstName: null,
      modifiedAt: created.createdAt + 7,
      alertPreferences: {
        errorAlerts: true,
        accessRequestAlerts: false,
        approvalAlerts: false,
        budgetAlerts: true,
      },
    });
    expect(await list()).toContainEqual(changed);
    expect((await put("ada", { role: "Viewer", alertPreferences: null })).alertPreferences).toEqual(
      {
        errorAlerts: false,
        accessRequestAlerts: false,
        approvalAlerts: false,
        budgetAlerts: false,
      },
    );
  });

  test("return 404 if they or their agent do not exist", async () => {
    await expect(remove("nobody")).rejects.toMatchObject({ slug: "not-found" });
    await put("ada", { role: "Viewer" });
    await remove("ada");
    await expect(remove("ada")).rejects.toMatchObject({ slug: "not-found" });
    await expect(put("ada", { role: "Viewer" }, "admin", "none")).rejects.toMatchObject({
      slug: "not-found",
    });
    await expect(remove("ada", "none")).rejects.toMatchObject({ slug: "not-found" });
    await deleteAgent(tenant.deps, { tenantId: tenantId(), agentId: "hello" });
    await expect(put("ada", { role: "Viewer" })).rejects.toMatchObject({ slug: "not-found" });
    expect(await roles()).toEqual({ admin: "Owner" });
  });

  test("always include an Owner once they had one", { tags: "nightly" }, async () => {
    const lastOwner = { slug: "conflict", message: expect.stringContaining("last Owner") };
    await expect(remove("admin")).rejects.toMatchObject(lastOwner);
    await expect(put("admin", { role: "Editor" })).rejects.toMatchObject(lastOwner);
    expect(await put("admin", { role: "Owner", firstName: "A" })).toMatchObject({ firstName: "A" });
    await put("ada", { role: "Owner" });
    await remove("admin");
    await expect(put("ada", { role: "Viewer" })).rejects.toMatchObject(lastOwner);
    expect(await roles()).toEqual({ ada: "Owner" });
  });

  test.each([
    ["demoted", (user: string) => put(user, { role: "Editor" })],
    ["removed", (user: string) => remove(user)],
    [
      "demoted or removed",
      (user: string) => (user < "c" ? put(user, { role: "Viewer" }) : remove(user)),
    ],
  ])("concurrently %s leaves one Owner", { tags: "nightly" }, async (_, change) => {
    const owners = ["admin", "bob", "cy", "dan", "eve"];
    for (const user of owners.slice(1)) await put(user, { role: "Owner" });
    const outcomes = await Promise.allSettled(owners.map(change));
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
    const left = Object.values(await roles()).filter((role) => role === "Owner");
    expect(left).toHaveLength(1);
    const [last = ""] = Object.entries(await roles()).find(([, role]) => role === "Owner") ?? [];
    await expect(remove(last)).rejects.toMatchObject({ slug: "conflict" });
  });

  test("changed by concurrent calls are counted once", { tags: "nightly" }, async () => {
    const changes = (["Owner", "Editor", "Owner", "Viewer"] as const).map((role) =>
      put("ada", { role }),
    );
    await Promise.all(changes);
    await put("ada", { role: "Owner" });
    await remove("admin");
    await expect(remove("ada")).rejects.toMatchObject({ slug: "conflict" });
    await put("bob", { role: "Owner" });
    await remove("ada");
  });

  test(`are at most ${maxCollaborators}, also when many are added concurrently`, {
    tags: "nightly",
    timeout: 60_000,
  }, async () => {
    for (let at = 0; at < maxCollaborators - 5; at += 1)
      await put(`user-${at}`, { role: "Viewer" });
    const more = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => put(`late-${at}`, { role: "Viewer" })),
    );
    expect(more.filter(({ status }) => status === "rejected")).toHaveLength(4);
    expect(await list()).toHaveLength(maxCollaborators);
    expect(await put("user-0", { role: "Editor" })).toMatchObject({ role: "Editor" });
    await expect(put("one-more", { role: "Viewer" })).rejects.toMatchObject({
      message: expect.stringContaining("the maximum"),
    });
    await remove("user-0");
    await put("one-more", { role: "Viewer" });
  });

  describe("restricted to their roles", () => {
    const row = (
      role: CollaboratorRole | undefined,
      table: "read" | "write" = "read",
    ): Pick<Route, "role" | "scope" | "access" | "readsAgent"> => ({
      role,
      readsAgent: false,
      scope: "agents:write",
      access: { table },
    });
    const check = (caller: Principal, of: ReturnType<typeof row>, agentId = "hello") =>
      requireRole(
        { database: () => db },
        { row: of, principal: caller, tenantId: tenantId(), agentId },
      );

    test.each([
      ["Viewer", ["Viewer"]],
      ["Editor", ["Viewer", "Editor"]],
      ["Owner", ["Viewer", "Editor", "Owner"]],
    ] as const)("a %s may do everything that requires %j and no more", async (held, may) => {
      await put("ada", { role: held });
      for (const needed of ["Viewer", "Editor", "Owner"] as const) {
        const outcome = check(principal("ada"), row(needed));
        if (may.some((role) => role === needed)) await outcome;
        else {
          await expect(outcome).rejects.toMatchObject({
            slug: "insufficient-scope",
            members: { requiredScope: "agents:write" },
            message: expect.stringMatching(new RegExp(`${held}.*${needed}`)),
          });
        }
      }
    });

    test("others are not; keys that no user created cost no storage call, nor do rows without an agent", async () => {
      await put("ada", { role: "Viewer" });
      await check(principal("stranger"), row("Owner"));
      db.calls.length = 0;
      await check(principal("ada", "ApiKey"), row("Owner"));
      await check(principal("ada"), row(undefined));
      await check(principal("ada"), row("Owner"), "not an id".repeat(500));
      expect(db.calls).toEqual([]);
      await check(principal("stranger"), row("Owner"));
      expect(db.calls).toEqual(["GetItem"]);
    });

    test("become active with their first call of a function that may write, at the cost of one write", async () => {
      await put("ada", { role: "Editor" });
      await check(principal("ada"), row("Viewer"));
      expect((await list())[0]).toMatchObject({ userId: "ada", status: 0 });
      await check(principal("ada"), row("Editor", "write"));
      expect((await list())[0]).toMatchObject({ userId: "ada", status: 1, role: "Editor" });
      db.calls.length = 0;
      await check(principal("ada"), row("Editor", "write"));
      expect(db.calls).toEqual(["GetItem"]);
      expect(await put("ada", { role: "Viewer" })).toMatchObject({ status: 1 });
    });
  });
});
