import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testChatUsers, welcome } from "../../../test/harness/chat-users.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";

const dayMs = 24 * 3_600_000;
const first = { outcome: "onboard", text: welcome, isKept: true };
const silent = { outcome: "onboard", text: null, isKept: false };
const run = { outcome: "run" };

describe("access requests", () => {
  let db: TestDatabase;
  let world: Awaited<ReturnType<typeof testChatUsers>>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    world = await testChatUsers(db);
  });

  /** Asks to be let in, and gives the request. */
  const ask = async (text = "Let me in") => {
    await world.write({ text });
    return world.pending();
  };

  test("when approved, activate their user and send the reply to the message that created them", async () => {
    const request = await ask();
    world.tenant.advance(5_000);
    const now = world.tenant.ctx.clock();
    const approved = await world.decide(request.id, "Approved", "Works here.");
    expect(approved).toEqual({
      ...request,
      status: "Approved",
      processedBy: "admin",
      processedAt: now,
      processingNote: "Works here.",
      modifiedAt: now,
    });
    expect(await world.list()).toEqual([approved]);
    expect(await world.list("Approved")).toEqual([approved]);
    expect(await world.list("Pending")).toEqual([]);
    expect(await world.users()).toMatchObject([{ status: "Active", modifiedAt: now }]);
    expect(await world.write()).toEqual(run);
    expect(world.chatMessages()).toMatchObject([
      {
        connectorId: world.connector.id,
        id: request.id,
        admitted: true,
        message: { text: "Let me in" },
      },
    ]);
    expect(world.events()).toMatchObject([
      { type: "chat.access_requested" },
      {
        id: `chat.access_decided:${request.id}`,
        type: "chat.access_decided",
        agentId: "hello",
        data: { status: "Approved", processedBy: "admin", processingNote: "Works here." },
      },
    ]);
    expect(await world.left("APPROVED")).toEqual([]);
  });

  test("when rejected, leave their user waiting for a day until the next request, without a reply", {
    tags: "nightly",
  }, async () => {
    const request = await ask();
    const rejected = await world.decide(request.id, "Rejected");
    expect(rejected).toMatchObject({ status: "Rejected", processingNote: null });
    expect(await world.users()).toMatchObject([{ status: "Onboarding" }]);
    expect(world.queues.chats).toBeUndefined();
    world.tenant.advance(dayMs - 1);
    expect(await world.write()).toEqual(silent);
    expect(await world.list("Pending")).toEqual([]);
    world.tenant.advance(1);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => world.write()));
    expect(
      outcomes.filter((outcome) => outcome.outcome === "onboard" && outcome.text),
    ).toHaveLength(1);
    expect((await world.list()).map(({ status }) => status)).toEqual(["Pending", "Rejected"]);
    expect(await world.users()).toHaveLength(1);
    await world.decide((await world.pending()).id, "Approved");
    expect(await world.write()).toEqual(run);
  });

  test("keep no message once they are decided", async () => {
    const request = await ask("a secret of mine");
    await world.decide(request.id, "Rejected");
    expect(JSON.stringify(await world.left("TENANT#"))).not.toContain("a secret of mine");
  });

  test("are decided only once", async () => {
    const one = await ask();
    await world.decide(one.id, "Approved");
    await expect(world.decide(one.id, "Approved")).rejects.toMatchObject({ slug: "conflict" });
    await expect(world.decide(one.id, "Rejected")).rejects.toMatchObject({ slug: "conflict" });
    expect(world.chatMessages()).toHaveLength(1);
  });

  test("when approved and rejected concurrently, have one consistent decision", {
    tags: "nightly",
  }, async () => {
    for (let round = 0; round < 20; round += 1) {
      world = await testChatUsers(db);
      const { id } = await ask();
      const calls =
        round % 2 === 0 ? (["Approved", "Rejected"] as const) : (["Rejected", "Approved"] as const);
      const ends = await Promise.allSettled(calls.map((decision) => world.decide(id, decision)));
      const won = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value.status] : []));
      expect(won).toHaveLength(1);
      expect(ends.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { slug: "conflict" },
      });
      const isApproved = won[0] === "Approved";
      expect(await world.list(won[0])).toHaveLength(1);
      expect(await world.list(isApproved ? "Rejected" : "Approved")).toEqual([]);
      expect(await world.users()).toMatchObject([{ status: isApproved ? "Active" : "Onboarding" }]);
      expect(world.chatMessages()).toHaveLength(isApproved ? 1 : 0);
      expect(world.events()).toHaveLength(2);
    }
  });

  test("do not exist for an unknown agent or id", async () => {
    const { id } = await ask();
    await expect(world.decide(world.connector.id, "Approved")).rejects.toMatchObject({
      slug: "not-found",
    });
    await deleteAgent(world.deps, { tenantId: world.tenantId, agentId: "hello" });
    await expect(world.decide(id, "Approved")).rejects.toMatchObject({ slug: "not-found" });
  });

  test.each(["BatchGetItem", "GetItem", "TransactWriteItems"])(
    "stay pending, whole, when %s fails, and can be decided then",
    async (command) => {
      const { id } = await ask();
      db.failNext(command);
      await expect(world.decide(id, "Approved")).rejects.toThrow("planned failure");
      db.clearFailures();
      expect(await world.list("Pending")).toHaveLength(1);
      expect(world.chatMessages()).toEqual([]);
      await world.decide(id, "Approved");
      expect(world.chatMessages()).toHaveLength(1);
    },
  );

  test("are approved if their message could not be sent, and the sweep sends it", async () => {
    const { id } = await ask();
    world.refuse("chats");
    expect(await world.decide(id, "Approved")).toMatchObject({ status: "Approved" });
    world.refuse(undefined);
    await world.sweep();
    expect(world.chatMessages()).toEqual([]);
    world.tenant.advance(60_000);
    await world.sweep();
    await world.sweep();
    expect(world.chatMessages()).toMatchObject([{ id, admitted: true }]);
  });

  test("send an identical message again if sending it was not recorded", async () => {
    const { id } = await ask();
    db.failNext("DeleteItem");
    await world.decide(id, "Approved");
    world.tenant.advance(60_000);
    await world.sweep();
    const [one, two, ...more] = world.chatMessages();
    expect(one).toEqual(two);
    expect(more).toEqual([]);
    expect(await world.left("APPROVED")).toEqual([]);
  });

  test("keep an event that could not be published in the outbox", async () => {
    world.refuse("events");
    await world.decide((await ask()).id, "Approved");
    const types = (await world.left("OUTBOX#")).map(({ type }) => type);
    expect(types.toSorted()).toEqual(["chat.access_decided", "chat.access_requested"]);
  });

  test.each(["GetItem", "TransactWriteItems"])(
    "are made once by a message that is brought again after a failed %s",
    async (command) => {
      for (let passing = 0; passing < 2; passing += 1) {
        world = await testChatUsers(db);
        const message = world.message();
        db.failNext(command, passing);
        await world.write(message).catch(() => undefined);
        db.clearFailures();
        expect(await world.write(message)).toEqual(first);
        expect(await world.list()).toHaveLength(1);
      }
    },
  );
});
