import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testChatUsers, welcome } from "../../../test/harness/chat-users.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";

const first = { outcome: "onboard", text: welcome, isKept: true };
const silent = { outcome: "onboard", text: null, isKept: false };
const run = { outcome: "run" };
const ignored = { outcome: "ignore", isKept: false };

describe("chat users", () => {
  let db: TestDatabase;
  let world: Awaited<ReturnType<typeof testChatUsers>>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    db.clearFailures();
    world = await testChatUsers(db);
  });

  describe("with AllowAll", () => {
    test("run the agent, and are listed as active, once for any number of concurrent messages", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => world.write({}, "AllowAll")),
      );
      expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["run"]));
      expect(await world.users()).toMatchObject([
        { identifier: "U1", userName: "Ada", status: "Active", provider: "generic" },
      ]);
      expect(await world.list()).toEqual([]);
    });

    test("that exist cost one read per message", async () => {
      await world.write({}, "AllowAll");
      db.calls.length = 0;
      await world.write({}, "AllowAll");
      expect(db.calls).toEqual(["GetItem"]);
    });

    test("that are pending run it too, and stay pending", async () => {
      await world.write();
      expect(await world.write({}, "AllowAll")).toEqual(run);
      expect(await world.write()).toEqual(silent);
    });
  });

  test("with DenyAll are ignored, active ones too, and cost no call", async () => {
    await world.write({}, "AllowAll");
    db.calls.length = 0;
    expect(await world.write({}, "DenyAll")).toEqual(ignored);
    expect(await world.write({ user: { id: "U2", name: null } }, "DenyAll")).toEqual(ignored);
    expect(db.calls).toEqual([]);
    expect(await world.users()).toHaveLength(1);
  });

  describe("with RequireApproval", () => {
    test("request access with their first message, the only one that gets a reply", async () => {
      expect(await world.write()).toEqual(first);
      expect(await world.write()).toEqual(silent);
      const now = world.tenant.ctx.clock();
      expect(await world.list()).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          provider: "generic",
          identifier: "U1",
          userName: "Ada",
          agentId: "hello",
          connectorId: world.connector.id,
          conversationName: "General",
          status: "Pending",
          processedBy: null,
          processedAt: null,
          processingNote: null,
          tenantId: world.tenantId,
          createdAt: now,
          modifiedAt: now,
          chatUserId: expect.any(String),
        },
      ]);
      expect(await world.list("Pending")).toEqual(await world.list());
      expect(await world.users()).toMatchObject([{ status: "Onboarding", identifier: "U1" }]);
      expect(world.events()).toMatchObject([
        { type: "chat.access_requested", data: { identifier: "U1", userName: "Ada" } },
      ]);
      expect(await world.left("OUTBOX#")).toMatchObject([{ organizationId: world.organizationId }]);
    });

    test("create one request with fifty concurrent messages, one of which gets a reply", {
      tags: "nightly",
    }, async () => {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => world.write()));
      const texts = outcomes.map((outcome) =>
        outcome.outcome === "onboard" ? outcome.text : outcome,
      );
      expect(texts.filter((text) => text === welcome)).toHaveLength(1);
      expect(texts.filter((text) => text === null)).toHaveLength(49);
      expect(await world.list()).toHaveLength(1);
      expect(world.events()).toHaveLength(1);
    });

    test("create a separate request for each connector", async () => {
      await world.write();
      const { id: other } = await world.addConnector();
      expect(await world.write({}, "RequireApproval", { id: other })).toEqual(first);
      expect(await world.list()).toHaveLength(2);
      await world.decide((await world.pending()).id, "Approved");
      expect(await world.write({}, "RequireApproval", { id: other })).toEqual(run);
      expect(await world.write()).toEqual(silent);
    });

    test("get the same reply again when the queue delivers their message twice", async () => {
      const message = world.message();
      expect(await world.write(message)).toEqual(first);
      expect(await world.write(message)).toEqual(first);
      await world.decide((await world.pending()).id, "Approved");
      expect(await world.write(message)).toEqual({ ...ignored, isKept: true });
      expect(await world.write({ ...message, receivedAt: message.receivedAt + 1 })).toEqual(run);
    });

    test("get no reply if the connector has no onboarding message", async () => {
      const through = { onBoardingMessage: null };
      expect(await world.write({}, "RequireApproval", through)).toEqual({
        ...silent,
        isKept: true,
      });
      expect(await world.list()).toHaveLength(1);
    });

    test("of an agent that is being deleted leave no items", async () => {
      await deleteAgent(world.deps, { tenantId: world.tenantId, agentId: "hello" });
      expect(await world.write()).toEqual(ignored);
      expect(await world.left(`TENANT#${world.tenantId}#AGENT#hello`)).toMatchObject([
        { sk: "COLLAB#admin" },
        { sk: `CONNECTOR#${world.connector.id}` },
      ]);
    });

    test("may have long names and send long messages", { tags: "nightly" }, async () => {
      const long = "😀".repeat(100_000);
      await world.write({
        user: { id: long, name: long },
        conversation: { id: long.slice(0, 500), name: long },
        text: long,
      });
      const { id, identifier, userName, conversationName } = await world.pending();
      expect([identifier, userName, conversationName].map((name) => name?.length)).toEqual([
        512, 200, 200,
      ]);
      await world.decide(id, "Approved");
      expect(await world.write({ user: { id: long, name: null } })).toEqual(run);
      // A message with such an id is too large to be kept.
      const other = await world.write({ user: { id: `${long}x`, name: null } });
      expect(other).toEqual({ ...first, isKept: false });
    });
  });
});
