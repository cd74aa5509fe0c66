import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge as purgeDeleted } from "../../../functions/workers/purge-deleted.ts";
import { testChatUsers, welcome } from "../../../test/harness/chat-users.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { deleteConnector } from "../connector/delete-connector.ts";
import { PurgeConnectorMessage } from "../messages.ts";

const first = { outcome: "onboard", text: welcome, isKept: true };

describe("access requests on deletion", () => {
  let db: TestDatabase;
  let world: Awaited<ReturnType<typeof testChatUsers>>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    world = await testChatUsers(db);
  });

  /** Asks to be let in, and gives the request. */
  const ask = async () => {
    await world.write();
    return world.pending();
  };

  test("are deleted with their user while they are pending; decided requests are kept", async () => {
    const one = await ask();
    await world.decide(one.id, "Approved");
    const [user] = await world.users();
    await world.remove(user?.id ?? "");
    expect(await world.list("Approved")).toHaveLength(1);
    expect(await world.write()).toEqual(first);
    const two = await world.pending();
    await world.remove(user?.id ?? "");
    await expect(world.decide(two.id, "Approved")).rejects.toMatchObject({ slug: "not-found" });
    expect((await world.list()).map(({ id }) => id)).toEqual([one.id]);
    expect(await world.users()).toEqual([]);
    await expect(world.remove(user?.id ?? "")).rejects.toMatchObject({ slug: "not-found" });
    expect(await world.write()).toEqual(first);
  });

  test("approved while their user is deleted leave no pending request", {
    tags: "nightly",
  }, async () => {
    for (let round = 0; round < 10; round += 1) {
      world = await testChatUsers(db);
      const { id, chatUserId } = await ask();
      await Promise.allSettled([world.decide(id, "Approved"), world.remove(chatUserId)]);
      expect(await world.list("Pending")).toEqual([]);
      expect(await world.users()).toEqual([]);
    }
  });

  const removeConnector = () => {
    const place = { agentId: "hello", connectorId: world.connector.id };
    return deleteConnector(world.deps, { tenantId: world.tenantId, ...place });
  };
  const purge = async () => {
    const { clock } = world.tenant.ctx;
    for (const message of world.queues.housekeeping ?? []) {
      const parsed = PurgeConnectorMessage.parse(message);
      await purgeDeleted(parsed, {
        ...world.tenant.deps,
        ...world.deps,
        clock,
        until: clock() + 60_000,
      });
    }
  };

  test("are deleted with their connector only; decided requests are kept", {
    tags: "nightly",
  }, async () => {
    const other = await world.addConnector();
    for (const id of ["U1", "U2", "U3"]) await world.write({ user: { id, name: null } });
    await world.decide((await world.pending()).id, "Approved");
    await world.write({}, "RequireApproval", other);
    await removeConnector();
    await purge();
    expect((await world.users()).map(({ connectorId }) => connectorId)).toEqual([other.id]);
    expect((await world.list()).map(({ connectorId, status }) => [connectorId, status])).toEqual([
      [other.id, "Pending"],
      [world.connector.id, "Approved"],
    ]);
  });

  test("are deleted when the failed deletion of their connector is repeated", async () => {
    await ask();
    world.refuse("housekeeping");
    await expect(removeConnector()).rejects.toThrow("does not respond");
    world.refuse(undefined);
    await expect(removeConnector()).rejects.toMatchObject({ slug: "not-found" });
    await purge();
    expect([await world.users(), await world.list()]).toEqual([[], []]);
    expect(await world.left(`TENANT#${world.tenantId}`)).not.toContainEqual(
      expect.objectContaining({ sk: expect.stringContaining("CONNECTOR#") }),
    );
    await expect(removeConnector()).rejects.toMatchObject({ slug: "not-found" });
    expect(world.queues.housekeeping).toHaveLength(1);
  });

  test("are not created by a message that is processed while its connector is deleted", async () => {
    await removeConnector();
    await purge();
    for (const policy of ["RequireApproval", "AllowAll"] as const) await world.write({}, policy);
    expect([await world.users(), await world.list(), world.events()]).toEqual([[], [], []]);
  });

  test("are deleted with their agent", { tags: "nightly" }, async () => {
    await ask();
    await world.write({ user: { id: "U2", name: null } });
    await deleteAgent(world.deps, { tenantId: world.tenantId, agentId: "hello" });
    const { clock } = world.tenant.ctx;
    const until = clock() + 60_000;
    await purgeDeleted(
      { type: "purge-agent", tenantId: world.tenantId, agentId: "hello" },
      { ...world.tenant.deps, clock, until },
    );
    expect(await world.left(`TENANT#${world.tenantId}#AGENT#`)).toEqual([]);
  });
});
