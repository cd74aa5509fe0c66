import { beforeAll, describe, expect, test } from "vitest";
import { testMemories } from "../../../test/harness/memories.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { toSessionPlace } from "../../executions/session/keys.ts";
import { listSessionMessages } from "../../executions/session/load-session.ts";
import { getSession } from "../../executions/session/session-store.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { deleteConnector } from "../connector/delete-connector.ts";
import { putNewConnector } from "../connector/store.ts";
import { toConversationKey } from "../conversation/conversation-key.ts";
import { runAgent } from "../conversation/run-agent.ts";
import { storeAttachment } from "../conversation/store-attachment.ts";
import { purgeConnector } from "../purge/purge-connector.ts";
import { deleteChatUser } from "./delete-chat-user.ts";
import { deriveChatUserId } from "./id.ts";
import { recordChatUser } from "./user-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const message = { name: "message", type: "String" };
const agent = (more: object = {}) => ({
  parametersMetadata: [message],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps: [
      {
        id: "ask",
        type: "Prompt",
        prompt: "{% input.message %}",
        memory: { namespace: "everybody" },
      },
    ],
    edges: [],
  },
  useSession: true,
  ...more,
});

/** Starts an agent with a connector and a model that keeps each message; `held`: its next answers wait for it. */
const start = async (more: object = {}) => {
  let held: Promise<void> | undefined;
  let reached = 0;
  const world = testMemories(db, async (prompt, { system, messages }) => {
    const text = JSON.stringify(messages);
    if (system?.includes("long-term memory")) {
      return JSON.stringify({ facts: text.match(/My name is \w+/g) ?? [] });
    }
    if (held) reached += 1;
    await held;
    if (prompt.includes("ummar")) return `Summary of ${text}`;
    return "Noted.";
  });
  await world.deploy("host", agent(more));
  const { tenant, tenantId } = world;
  const { ctx } = tenant;
  const deps = { ...world.deps, runtime: ctx };
  const now = ctx.clock();
  const connector = {
    ...{ id: newUuid(ctx), name: "Chat", agentId: "host", parameters: {} },
    provider: "generic" as const,
    ...{ active: true, policy: "AllowAll" as const, onBoardingMessage: null, secrets: null },
    ...{ createdAt: now, modifiedAt: now, version: 1 },
  };
  await putNewConnector(db, tenantId, connector);
  const enter = async (user: string) => {
    const id = deriveChatUserId(connector.id, user);
    await recordChatUser(db, {
      ...{ id, identifier: user, userName: user, provider: "generic", status: "Active" },
      ...{ tenantId, agentId: "host", connectorId: connector.id },
      ...{ createdAt: now, modifiedAt: now },
    });
  };
  const say = async (user: string, conversation: string, text: string, file?: string) => {
    tenant.advance(1);
    await enter(user);
    const id = newUuid(ctx);
    const receivedAt = ctx.clock();
    const sent = {
      ...{ id, text, user: { id: user, name: user } },
      ...{ conversation: { id: conversation, name: null }, attachments: [], omittedAttachments: 0 },
    };
    const attachment = {
      ...{ name: "a.txt", mediaType: null, bytes: null },
      location: { base64: Buffer.from(file ?? "").toString("base64") },
    };
    const storage = { db, files: tenant.deps.files.objects };
    const received = { tenantId, connectorId: connector.id, message: sent, receivedAt };
    const attachments =
      file === undefined ? [] : [await storeAttachment(storage, { received, attachment, at: 0 })];
    const message = {
      ...{ type: "reply-to-chat" as const, tenantId, organizationId: "local", id },
      connectorId: connector.id,
      message: {
        ...{ id, text, receivedAt, attachments, user: { id: user, name: user } },
        conversation: { id: conversation, name: null },
      },
    };
    const placed = { message, place: toConversationKey(message) };
    const until = ctx.clock() + 600_000;
    const onNotice = async () => undefined;
    const run = { connector, placed, executionId: id, until, isRepeated: false, onNotice };
    return runAgent(deps, run);
  };
  const place = (conversation: string) =>
    toSessionPlace(tenantId, "host", `${connector.id}:${conversation}`);
  return {
    ...world,
    connectorId: connector.id,
    say,
    place,
    remember: async () => {
      for (const asked of world.asked.splice(0)) await world.remember(asked);
    },
    remove: (user: string) => {
      tenant.advance(1);
      const chatUserId = deriveChatUserId(connector.id, user);
      return deleteChatUser(deps, { tenantId, agentId: "host", chatUserId });
    },
    removeConnector: () => {
      const ref = { tenantId, agentId: "host", connectorId: connector.id };
      return deleteConnector(world.deps, ref);
    },
    removeAgent: () => deleteAgent(world.deps, { tenantId, agentId: "host" }),
    purge: async () => {
      for (let round = 0; round < 3; round += 1) {
        await world.clean();
        tenant.advance(900_001);
      }
    },
    /** The messages of people in a conversation, as its next run sees them. */
    said: async (conversation: string) => {
      const read = { place: place(conversation), now: ctx.clock() };
      const { messages } = await listSessionMessages(tenant.deps, read);
      return messages.flatMap(({ message }) => (message.role === "user" ? message.text : []));
    },
    stored: async () => {
      const items = (await db.scan()).filter(({ pk }) => String(pk).includes(tenantId));
      const parts = items.filter(({ pk }) => /#(SESSIONS|MEMORIES)#/.test(String(pk)));
      return JSON.stringify([parts, [...tenant.deps.objects.all.keys()]]);
    },
    /** Resolves when so many calls of the model are held. */
    untilHeld: (count: number) => expect.poll(() => reached, { timeout: 10_000 }).toBe(count),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
  };
};

type World = Awaited<ReturnType<typeof start>>;

describe("the deletion of a chat user", () => {
  test("deletes the conversation that is only theirs, their turns of a shared one, and their memories with the vectors", {
    tags: "nightly",
  }, async () => {
    const world = await start();
    await world.say("U1", "direct", "My name is Ada");
    await world.say("U1", "group", "I am Ada");
    await world.say("U2", "group", "My name is Bob");
    await world.say("U1", "group", "Hello, Bob");
    await world.remember();
    expect([await world.countItems(), world.countVectors()]).toEqual([2, 2]);
    await world.remove("U1");
    // Before the queue has removed anything.
    expect([await world.said("direct"), await world.said("group")]).toEqual([
      [],
      ["My name is Bob"],
    ]);
    await world.purge();
    expect(await getSession(db, world.place("direct"))).toBeUndefined();
    expect(await world.said("group")).toEqual(["My name is Bob"]);
    expect(await world.texts("host", "everybody")).toEqual(["My name is Bob"]);
    expect([await world.countItems(), world.countVectors()]).toEqual([1, 1]);
    expect((await getSession(db, world.place("group")))?.endUserId).toBeUndefined();
    await world.say("U2", "group", "Who is here?");
    expect(await world.said("group")).toEqual(["My name is Bob", "Who is here?"]);
    expect(await world.stored()).not.toContain("U1");
    await expect(world.remove("U1")).rejects.toMatchObject({ slug: "not-found" });
  });

  test("deletes the files that they sent until then, and no others", async () => {
    const inputs = [message, { name: "document", type: "File" }];
    const world = await start({ parametersMetadata: inputs });
    await world.say("U1", "group", "Look", "from U1");
    await world.say("U2", "group", "Look", "from U2");
    await world.remove("U1");
    await world.say("U1", "group", "Look again", "from U1 later");
    const contents = async () => {
      const files = (await db.scan()).filter(
        ({ pk, sk }) => String(pk).includes(world.tenantId) && String(sk).startsWith("FILE#"),
      );
      const { objects } = world.tenant.deps.files;
      const read = files.map(async ({ object }) => String(await objects.get(String(object))));
      return (await Promise.all(read)).toSorted();
    };
    expect(await contents()).toEqual(["from U1", "from U1 later", "from U2"]);
    await world.purge();
    expect(await contents()).toEqual(["from U1 later", "from U2"]);
    expect(
      [...world.tenant.deps.objects.all.keys()].filter((key) => key.startsWith("files/")),
    ).toHaveLength(2);
  });

  test.each([
    ["connector", (world: World) => world.removeConnector()],
    ["agent", (world: World) => world.removeAgent()],
    [
      "agent, which is purged before their connector that was deleted first,",
      async (world: World) => {
        await world.removeConnector();
        await world.removeAgent();
        world.housekeeping.reverse();
        expect(world.housekeeping.map(({ type }) => type)).toEqual([
          "purge-agent",
          "purge-connector",
        ]);
      },
    ],
  ])("with their %s deletes the files of all of its people", async (_, remove) => {
    const inputs = [message, { name: "document", type: "File" }];
    const world = await start({ parametersMetadata: inputs });
    await world.say("U1", "group", "Look", "from U1");
    await world.say("U2", "direct", "Look", "from U2");
    await remove(world);
    await world.purge();
    const left = (await db.scan()).filter(
      ({ pk, sk }) =>
        String(pk).includes(world.tenantId) && /^(FILE|PERSON|CHATUSER)#/.test(String(sk)),
    );
    expect(left).toEqual([]);
    const objects = [...world.tenant.deps.objects.all.keys()];
    expect(objects.filter((key) => key.startsWith("files/"))).toEqual([]);
  });

  test("with their connector finds their files again after a purge that failed", async () => {
    const world = await start({
      parametersMetadata: [message, { name: "document", type: "File" }],
    });
    await world.say("U1", "group", "Look", "from U1");
    const { tenantId, connectorId, tenant } = world;
    const objects = { ...tenant.deps.objects, remove: () => Promise.reject(new Error("failed")) };
    const run = { db, objects, clock: tenant.ctx.clock, isTimeOver: () => false };
    const steps = purgeConnector({ tenantId, agentId: "host", connectorId });
    await expect(steps.at(-1)?.(run)).rejects.toThrow("failed");
    expect(await steps.at(-1)?.({ ...run, objects: tenant.deps.objects })).toBe("done");
    expect([...tenant.deps.objects.all.keys()].filter((key) => key.startsWith("files/"))).toEqual(
      [],
    );
  });

  test("has what runs say that end later, in a conversation of their own and in a shared one", {
    tags: "nightly",
  }, async () => {
    const world = await start();
    await world.say("U2", "group", "My name is Bob");
    await world.say("U1", "group", "I am here");
    const release = world.hold();
    const running = [
      world.say("U1", "direct", "My name is Ada"),
      world.say("U1", "group", "My name is Ada"),
    ];
    await world.untilHeld(2);
    await world.remove("U1");
    // Nothing is looked for any more when they end.
    await world.purge();
    release();
    await Promise.all(running);
    await world.remember();
    expect(await getSession(db, world.place("direct"))).toBeUndefined();
    expect(await world.said("group")).toEqual(["My name is Bob"]);
    expect(await world.texts("host", "everybody")).toEqual(["My name is Bob"]);
    expect([await world.countItems(), world.countVectors()]).toEqual([1, 1]);
    await world.say("U1", "group", "I am back");
    expect(await world.said("group")).toEqual(["My name is Bob", "I am back"]);
  });

  test("removes a summary of their messages in a shared conversation, also one that is made meanwhile", {
    tags: "nightly",
  }, async () => {
    const world = await start({ sessionPolicy: { maxTurns: 2, onOverflow: "summarize" } });
    await world.say("U1", "group", "I am Ada, one");
    for (const text of ["two", "three", "four"]) await world.say("U2", "group", text);
    expect(await world.stored()).toContain("SUMMARY");
    const release = world.hold();
    const running = world.say("U2", "group", "five");
    await world.untilHeld(1);
    await world.remove("U1");
    release();
    await running;
    await world.purge();
    expect(await world.stored()).not.toContain("SUMMARY");
    expect((await world.said("group")).join()).not.toContain("Ada");
    expect((await world.said("group")).at(-1)).toBe("five");
  });

  test("requests its purge again when it is repeated after a call that ended before", {
    tags: "nightly",
  }, async () => {
    const world = await start();
    await world.say("U1", "direct", "My name is Ada");
    await world.remember();
    const chatUserId = deriveChatUserId(world.connectorId, "U1");
    const broken = async () => {
      throw new Error("the queue does not respond");
    };
    const user = { tenantId: world.tenantId, agentId: "host", chatUserId };
    const deps = { ...world.deps, runtime: world.tenant.ctx };
    await expect(deleteChatUser({ ...deps, send: broken }, user)).rejects.toThrow("not respond");
    await expect(deleteChatUser(deps, user)).rejects.toMatchObject({ slug: "not-found" });
    await world.purge();
    expect(await getSession(db, world.place("direct"))).toBeUndefined();
    expect([await world.countItems(), world.countVectors()]).toEqual([0, 0]);
  });
});
