import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { good } from "../../../test/harness/chat-apis/chat-api.ts";
import { pdf, png } from "../../../test/harness/chat-apis/chat-files.ts";
import { type ChatServer, startChatServer } from "../../../test/harness/chat-apis/chat-server.ts";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { withPhoto } from "../../../test/samples/attachments.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { FlowFile } from "../../engine/flow-file.ts";
import { SendChatReplyMessage, WakeExecutionMessage } from "../../executions/messages.ts";
import { wakeExecution } from "../../executions/wait/wake-execution.ts";
import { purgePersonFiles } from "../../files/purge-person-files.ts";
import { readFile } from "../../files/read-file.ts";
import { addStoredBytes, getFile } from "../../files/store.ts";
import { toDay } from "../../platform/db/keys.ts";
import { nthUuid } from "../../platform/runtime/runtime.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import { decideAccessRequest } from "../chat-user/decide-access-request.ts";
import { deleteChatUser } from "../chat-user/delete-chat-user.ts";
import { deriveChatUserId, toFileSender } from "../chat-user/id.ts";
import { listAccessRequests } from "../chat-user/request-store.ts";
import { createConnector } from "../connector/create-connector.ts";
import { deleteConnector } from "../connector/delete-connector.ts";
import type { ConnectorItem } from "../connector/items.ts";
import type { CreateConnectorBody } from "../connector/schemas.ts";
import { getConnector, replaceConnector } from "../connector/store.ts";
import { ReplyToChatMessage } from "../messages.ts";
import { purgeConnector } from "../purge/purge-connector.ts";
import { queueMessages } from "./queue-messages.ts";
import { apology, replyToMessage } from "./reply-to-message.ts";
import { sendDueReply } from "./send-due-reply.ts";

const message = { name: "message", type: "String" };
const photo = { name: "photo", type: "File", accept: ["image/*"] };
const paper = { name: "paper", type: "File", accept: ["application/pdf"] };
/** Returns its inputs of files. */
const viewer = (parameters: readonly object[] = [photo], value = "{% input.photo %}") => ({
  parametersMetadata: [message, ...parameters],
  flow: { steps: [{ id: "say", type: "Output", value }], edges: [] },
});
type Vendor = keyof typeof withPhoto;
const vendors = ["slack", "telegram", "discord", "meta", "teams", "generic"] as const;
const publicKey = "00".repeat(32);

describe("attachments of a chat message", () => {
  let db: TestDatabase;
  let server: ChatServer;

  beforeAll(async () => {
    db = await testDatabase();
    server = await startChatServer();
  });
  beforeEach(() => {
    server.shown.length = 0;
    server.requests.length = 0;
  });
  afterAll(() => server.close());

  const connectorBody = (id: Vendor): CreateConnectorBody => {
    const apiUrl = `${server.url}/${id}`;
    const parameters: Record<Vendor, Record<string, string>> = {
      slack: { apiUrl, botToken: good.slack },
      telegram: { apiUrl, botToken: good.telegram },
      discord: { apiUrl, botToken: good.discord, publicKey },
      meta: { apiUrl, accessToken: good.meta },
      teams: { apiUrl, appId: "app", appPassword: good.teams },
      generic: { replyUrl: `${server.url}/replies` },
    };
    return { provider: id, parameters: parameters[id] };
  };

  const start = async (agent: object, provider: Vendor = "generic") => {
    const world = testExecutions(db);
    const { ctx, deps: storage } = world.tenant;
    const { tenant } = ctx;
    const times = { createdAt: ctx.clock(), modifiedAt: ctx.clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "Test", ...times });
    await world.deploy("a", agent);
    const outgoing = { allowPrivateAddresses: true };
    const connector = await createConnector(
      { ...storage, outgoing },
      {
        ctx: { ...ctx, baseUrl: "http://localhost" },
        agentId: "a",
        body: connectorBody(provider),
      },
    );
    const queued: ReplyToChatMessage[] = [];
    const deps = { ...world.deps, outgoing };
    /** Queues the messages of a payload. */
    const accept = async (payload: unknown) => {
      world.tenant.advance(1);
      const receivedAt = ctx.clock();
      await queueMessages(
        {
          ...storage,
          send: async (_queue, _group, sent) => {
            queued.push(ReplyToChatMessage.parse(JSON.parse(JSON.stringify(sent))));
          },
        },
        {
          tenant,
          connectorId: connector.id,
          messages: chatProvider(provider).readMessages(payload),
          receivedAt,
          messageIdFor: (at) => nthUuid(receivedAt, at, ctx.randomBytes),
        },
      );
    };
    const reply = (sent = queued[0]) => {
      if (!sent) throw new Error("nothing was queued");
      return replyToMessage(deps, { message: sent, deadline: ctx.clock() + 900_000 });
    };
    const run = async (payload: unknown) => {
      queued.length = 0;
      await accept(payload);
      await reply();
      return server.shown.at(-1)?.text ?? "";
    };
    const listFiles = async () =>
      (await db.scan()).filter(
        ({ pk, sk }) => String(pk).includes(world.tenantId) && String(sk).startsWith("FILE#"),
      );
    const place = { tenantId: world.tenantId, agentId: "a", connectorId: connector.id };
    const storing = { db, send: async () => undefined, runtime: ctx };
    const steps = { db, objects: storage.objects, clock: ctx.clock, isTimeOver: () => false };
    const person = toFileSender(connector.id, { user: { id: "u-1" }, receivedAt: 0 });
    return {
      ...{ world, connector, queued, deps, accept, reply, run, listFiles },
      /** Deletes files that the person `u-1` sent until a time. */
      purgeFiles: (at: number) => purgePersonFiles({ ...place, ...person, at })(steps),
      /** Deletes the person `u-1`, and what the queue finds of their files. */
      deletePerson: async () => {
        const chatUserId = deriveChatUserId(connector.id, "u-1");
        await deleteChatUser(storing, { ...place, chatUserId });
        await purgePersonFiles({ ...place, ...person, at: ctx.clock() })(steps);
      },
      /** Deletes the connector, and what the queue finds of it. */
      deleteConnector: async () => {
        await deleteConnector(storing, place);
        for (const step of purgeConnector(place)) expect(await step(steps)).toBe("done");
      },
      change: async (more: Partial<ConnectorItem>) => {
        const before = await getConnector(db, world.tenantId, connector.id);
        if (before) await replaceConnector(db, world.tenantId, { ...before, ...more });
      },
      /** The names of the objects with files. */
      listObjects: () => [...storage.objects.all.keys()].filter((key) => key.startsWith("files/")),
    };
  };

  type Chat = Awaited<ReturnType<typeof start>>;
  const removeAgent = ({ world }: Chat) => {
    const agent = { tenantId: world.tenantId, agentId: "a" };
    return deleteAgent({ db, send: async () => undefined }, agent);
  };
  const post = (attachments: readonly object[], more: object = {}) => ({
    id: "m-1",
    user: { id: "u-1", name: "Ada" },
    conversation: { id: "c-1", name: "General" },
    text: "Look",
    attachments,
    ...more,
  });
  const file = (name: string) => ({ url: `${server.url}/public/${name}`, name });
  const parseFile = (text: string) => FlowFile.parse(JSON.parse(text));

  test.each(vendors)("of %s reach the agent as files of the connector", async (id) => {
    const { world, connector, run } = await start(viewer(), id);
    const { payload, attachment } = withPhoto[id](server.url);
    const shown = parseFile(await run(payload));
    expect(shown).toEqual({
      id: expect.any(String),
      name: attachment.name,
      mediaType: "image/png",
      bytes: png.byteLength,
    });
    const { tenantId, tenant, deps } = world;
    const read = { tenantId, principal: tenant.ctx.principal, fileId: shown.id };
    const stored = await readFile(db, { ...read, now: tenant.ctx.clock() });
    expect(stored.creator).toEqual({ type: "Connector", id: connector.id });
    expect(Buffer.from((await deps.files.objects.get(stored.object)) ?? [])).toEqual(png);
    const [record] = await world.list("a");
    expect(record).toMatchObject({ status: "Succeeded", trigger: { type: 3, id: connector.id } });
  });

  test.each(vendors)("of %s are deleted with the person who sent them", async (id) => {
    const { world, connector, queued, run, listFiles } = await start(viewer(), id);
    const { tenantId, tenant, deps } = world;
    const { payload } = withPhoto[id](server.url);
    const shown = parseFile(await run(payload));
    const { user } = queued[0]?.message ?? { user: { id: "" } };
    const at = tenant.ctx.clock();
    const purge = async (identifier: string, until: number) => {
      const { person } = toFileSender(connector.id, { user: { id: identifier }, receivedAt: at });
      const step = purgePersonFiles({ tenantId, person, at: until });
      const { objects } = tenant.deps;
      return step({ db, objects, clock: tenant.ctx.clock, isTimeOver: () => false });
    };
    await purge("another", at);
    await purge(user.id, at - 1);
    expect(await listFiles()).toHaveLength(1);
    const stored = await getFile(db, tenantId, shown.id, at);
    expect(await purge(user.id, at)).toBe("done");
    expect(await listFiles()).toEqual([]);
    expect(await deps.files.objects.get(stored?.object ?? "")).toBeUndefined();
    const left = (await db.scan()).filter(({ pk }) => String(pk).includes(tenantId));
    expect(left.filter(({ sk }) => String(sk).startsWith("PERSON#"))).toEqual([]);
  });

  test.each(vendors)(
    "of %s that cannot be fetched are named in the reply, without a secret",
    async (id) => {
      const { queued, run } = await start(viewer([photo], "{% input.message %} seen"), id);
      const { payload } = withPhoto[id](server.url, "missing.png");
      const text = await run(JSON.parse(JSON.stringify(payload)));
      expect(text).toContain("Attachments that were not passed on:");
      expect(text).toContain("its server responded with 404");
      for (const secret of [...Object.values(good), "token-1"]) {
        expect(text).not.toContain(secret);
        expect(inspect(queued, { depth: 9 })).not.toContain(secret);
      }
    },
  );

  test("are carried by the queue without their content", async () => {
    const { accept, queued, listFiles, world } = await start(viewer());
    const base64 = png.toString("base64");
    await accept(post([{ base64, name: "a.png" }, file("b.png")]));
    expect(JSON.stringify(queued)).not.toContain(base64.slice(0, 20));
    const [stored] = await listFiles();
    expect(queued[0]?.message.attachments).toMatchObject([
      { name: "a.png", bytes: png.byteLength, location: { fileId: stored?.id } },
      { name: "b.png", location: { url: `${server.url}/public/b.png` } },
    ]);
    await accept(post([{ base64, name: "a.png" }]));
    expect(await listFiles()).toHaveLength(1);
    await accept(post([{ base64: pdf.toString("base64"), name: "a.png" }]));
    expect(await listFiles()).toHaveLength(2);
    const { tenantId, tenant } = world;
    const first = await getFile(db, tenantId, String(stored?.id), tenant.ctx.clock());
    expect(first?.mediaType).toBe("image/png");
  });

  test("with their content reach the agent", async () => {
    const { run } = await start(viewer());
    const attachment = { base64: png.toString("base64"), name: "a.png" };
    expect(parseFile(await run(post([attachment])))).toMatchObject({ name: "a.png", bytes: 80 });
  });

  test("go to the first input that accepts their type; an input of many files collects them", async () => {
    const agent = viewer(
      [
        { name: "cover", type: "File", accept: ["image/png"] },
        { name: "papers", type: "File", accept: ["application/pdf"], multiple: true },
        { name: "rest", type: "File", multiple: true },
      ],
      "{% $join([input.cover.name, '|', input.papers.name, '|', input.rest.name], ' ') %}",
    );
    const { run } = await start(agent);
    const files = ["a.pdf", "b.png", "c.pdf", "d.png"].map(file);
    expect(await run(post(files))).toBe("b.png | a.pdf c.pdf | d.png");
  });

  test("of another type, of too many and too large ones are named in the reply with the reason", async () => {
    const { run } = await start(viewer([{ ...photo, maxBytes: 100 }], "{% input.photo.name %}"));
    const files = ["large.png", "paper.pdf", "a.png", "b.png"].map(file);
    expect(await run(post(files))).toBe(
      `a.png\n\nAttachments that were not passed on: "large.png" (it is larger than 100 bytes), "paper.pdf" (this agent takes no files of the type application/pdf), "b.png" (this agent takes one such file).`,
    );
  });

  test("more than 20 are counted in the reply, and are not fetched", async () => {
    const { accept, queued, reply } = await start(
      viewer([{ ...photo, multiple: true }], "{% $count(input.photo) %}"),
      "slack",
    );
    const files = Array.from({ length: 100 }, (_, at) => ({
      id: `F${at}`,
      name: `${at}.png`,
      url_private_download: `${server.url}/slack/files/${at}.png`,
    }));
    const event = { type: "message", channel: "C1", user: "U1", text: "Look", ts: "1.2", files };
    await accept({ type: "event_callback", event });
    expect(queued[0]?.message.attachments).toHaveLength(20);
    await reply();
    expect(server.shown.at(-1)?.text).toBe(
      "20\n\nAttachments that were not passed on: 80 beyond the first 20.",
    );
    expect(server.requests).toHaveLength(21);
  });

  test("with a name that is a path, or very long, have the last part of it", async () => {
    const { queued, accept, reply } = await start(
      viewer([photo], "{% input.photo.name %}"),
      "slack",
    );
    for (const name of ["../../etc/passwd.png", "C:\\x\\passwd.png", "\u0000passwd.png"]) {
      queued.length = 0;
      const files = [{ id: "F", name, url_private_download: `${server.url}/slack/files/a.png` }];
      const event = { type: "message", channel: "C1", user: "U1", ts: name, files };
      await accept({ type: "event_callback", event });
      await reply();
      expect(server.shown.at(-1)?.text).toBe("passwd.png");
    }
    const files = [{ id: "F", name: "a".repeat(9_000) }];
    const event = { type: "message", channel: "C1", user: "U1", ts: "9.9", files };
    await accept({ type: "event_callback", event });
    expect(queued.at(-1)?.message.attachments?.[0]?.name).toHaveLength(200);
  });

  test("that an agent requires and that cannot be passed on get the reason as the reply, once", async () => {
    const { world, run, reply } = await start(viewer([{ ...photo, required: true }]));
    expect(await run(post([file("missing.png")]))).toBe(
      'Attachments that were not passed on: "missing.png" (its server responded with 404).',
    );
    await reply();
    expect(server.shown).toHaveLength(1);
    const [record] = await world.list("a");
    const { output } = await world.read("a", record?.id ?? "");
    expect(output).toMatchObject({ error: { detail: expect.stringContaining('"photo"') } });
  });

  test("with an address that is too long are not queued with it", async () => {
    const { queued, run } = await start(viewer([photo], "{% input.message %}"), "slack");
    const url = `https://files.slack.com/${"a".repeat(500_000)}`;
    const files = [{ id: "F", name: "a.png", url_private_download: url }];
    const event = { type: "message", channel: "C1", user: "U1", text: "Look", ts: "1.2", files };
    const text = await run({ type: "event_callback", event });
    expect(text).toContain('"a.png" (its address may not be called)');
    expect(JSON.stringify(queued).length).toBeLessThan(2_000);
  });

  test("that an agent requires are asked for", async () => {
    const { world, run } = await start(viewer([{ ...photo, required: true }]));
    expect(await run(post([]))).toBe(
      "This agent needs a file (image/*). Send it with your message.",
    );
    expect(await world.list("a")).toMatchObject([{ status: "Failed" }]);
  });

  test("get a notice below the reply of an agent that takes no files, and nothing is fetched", async () => {
    const { run, world } = await start(viewer([], "{% input.message %}!"));
    expect(await run(post([file("a.png")]))).toBe(
      "Look!\n\nThe attachment was not passed on: this agent takes no files.",
    );
    const two = post([file("a.png"), file("b.png")], { id: "m-2", text: "" });
    expect(await run(two)).toBe("The 2 attachments were not passed on: this agent takes no files.");
    expect(server.requests.filter(({ path }) => path !== "/replies")).toEqual([]);
    expect(await world.list("a")).toHaveLength(1);
  });

  test("with their content, to an agent that takes no files, are not left", async () => {
    const { run, world, listFiles } = await start(viewer([], "{% input.message %}!"));
    const content = { base64: png.toString("base64"), name: "a.png" };
    expect(await run(post([content]))).toContain("Look!");
    expect(await run(post([content], { id: "m-2", text: "" }))).toContain("takes no files");
    expect(await listFiles()).toEqual([]);
    const objects = [...world.tenant.deps.objects.all.keys()];
    expect(objects.filter((key) => key.startsWith("files/"))).toEqual([]);
  });

  test("that cannot be passed on, of a message without a text, get the reason without a run", async () => {
    const { run, world } = await start(viewer());
    const text = await run(post([file("missing.png")], { text: "" }));
    expect(text).toContain('"missing.png" (its server responded with 404)');
    expect(await world.list("a")).toMatchObject([{ status: "Failed" }]);
  });

  test.each([
    ["misses a file", [photo, { ...paper, required: true }]],
    ["misses another input", [photo, { name: "count", type: "Integer", required: true }]],
    ["has no file for an input", [{ ...paper, required: true }]],
  ])("of a message that is refused since it %s are not left", async (_, parameters) => {
    const { world, run, listFiles } = await start(viewer(parameters, "{% input.message %}"));
    const content = { base64: png.toString("base64"), name: "a.png" };
    for (const [at, attachment] of [file("a.png"), content].entries()) {
      await run(post([attachment], { id: `m-${at}` }));
    }
    expect(await world.list("a")).toMatchObject([{ status: "Failed" }, { status: "Failed" }]);
    expect(await listFiles()).toEqual([]);
    const objects = [...world.tenant.deps.objects.all.keys()];
    expect(objects.filter((key) => key.startsWith("files/"))).toEqual([]);
  });

  test.each([
    ["to a paused connector", (chat: Chat) => chat.change({ active: false })],
    ["to a deleted connector", (chat: Chat) => chat.deleteConnector()],
    ["to an agent that does not run", (chat: Chat) => removeAgent(chat)],
  ])("with their content, of a message %s, are not left", async (_, refuse) => {
    const chat = await start(viewer());
    await chat.accept(post([{ base64: png.toString("base64"), name: "a.png" }]));
    expect(await chat.listFiles()).toHaveLength(1);
    await refuse(chat);
    await chat.reply();
    expect(await chat.listFiles()).toEqual([]);
    expect(chat.listObjects()).toEqual([]);
  });

  test("with their content are left to the execution that an earlier attempt has started", async () => {
    const { accept, reply, change, listFiles } = await start(viewer());
    await accept(post([{ base64: png.toString("base64"), name: "a.png" }]));
    server.failNext({ status: 503 });
    await expect(reply()).rejects.toThrow("failed (503)");
    await change({ active: false });
    await reply();
    expect(await listFiles()).toHaveLength(1);
  });

  test("with their content wait for the approval of their person, and those of further messages are not left", async () => {
    const { world, accept, queued, reply, change, listFiles } = await start(viewer());
    await change({ policy: "RequireApproval", onBoardingMessage: "Wait." });
    const first = post([{ base64: png.toString("base64"), name: "a.png" }]);
    await accept(first);
    await reply();
    await reply();
    const kept = await listFiles();
    expect(kept).toHaveLength(1);
    // As its provider repeats it, and then another message.
    await accept(first);
    await reply(queued[1]);
    expect(await listFiles()).toEqual(kept);
    await accept(post([{ base64: pdf.toString("base64"), name: "b.pdf" }], { id: "m-2" }));
    expect(await listFiles()).toHaveLength(2);
    await reply(queued[2]);
    expect(await listFiles()).toEqual(kept);

    const { tenantId, tenant } = world;
    const page = { size: 1, skip: 0 };
    const found = await listAccessRequests(db, tenantId, { agentId: "a" }, page);
    const accessRequestId = found.items[0]?.id ?? "";
    const send = async (_queue: string, _group: string, sent: unknown) => {
      const { data } = ReplyToChatMessage.safeParse(sent);
      if (data) queued.push(data);
    };
    const decision = { agentId: "a", accessRequestId, decision: "Approved", note: null } as const;
    await decideAccessRequest({ db, send }, { ctx: tenant.ctx, ...decision });
    // The queue delivers the first message again.
    await reply();
    await reply(queued[3]);
    expect(parseFile(server.shown.at(-1)?.text ?? "")).toMatchObject({ name: "a.png" });
  });

  test.each<[string, Partial<ConnectorItem>]>([
    ["its connector was paused", { active: false }],
    ["its connector denies all", { policy: "DenyAll" }],
  ])(
    "with their content of a message that waits for an approval are kept if it is processed again when %s",
    async (_, more) => {
      const { accept, reply, change, listFiles } = await start(viewer());
      await change({ policy: "RequireApproval" });
      await accept(post([{ base64: png.toString("base64"), name: "a.png" }]));
      await reply();
      await change(more);
      await reply();
      expect(await listFiles()).toHaveLength(1);
    },
  );

  test("with their content of a message that is too large to wait for an approval are not left", async () => {
    const { accept, queued, reply, change, listFiles } = await start(viewer());
    await change({ policy: "RequireApproval" });
    await accept(post([{ base64: png.toString("base64"), name: "a.png" }]));
    const [sent] = queued;
    if (!sent) throw new Error("nothing was queued");
    const conversation = { ...sent.message.conversation, name: "a".repeat(400_000) };
    await reply({ ...sent, message: { ...sent.message, conversation } });
    expect(await listFiles()).toEqual([]);
  });

  test("with their content are not left of a person who is removed between the approval and the reply", async () => {
    const { accept, queued, reply, listFiles } = await start(viewer());
    await accept(post([{ base64: png.toString("base64"), name: "a.png" }]));
    const [sent] = queued;
    if (!sent) throw new Error("nothing was queued");
    await reply({ ...sent, admitted: true });
    expect(await listFiles()).toEqual([]);
  });

  test.each([
    ["person", (chat: Chat) => chat.deletePerson()],
    ["connector", (chat: Chat) => chat.deleteConnector()],
  ])("that are stored while their %s is purged are not left", async (_, purge) => {
    const chat = await start(viewer());
    await chat.run(post([]));
    const { put } = chat.deps.files.objects;
    const interrupted = vi.spyOn(chat.deps.files.objects, "put");
    interrupted.mockImplementationOnce(async (...object) => {
      await purge(chat);
      await put(...object);
    });
    await chat.run(post([file("a.png"), file("b.pdf")], { id: "m-2" }));
    expect(interrupted).toHaveBeenCalled();
    expect(await chat.listFiles()).toEqual([]);
    expect(chat.listObjects()).toEqual([]);
  });

  test("of a message that is processed long after its person was deleted are not left, and later ones are", async () => {
    const { world, run, accept, reply, queued, deletePerson, listFiles } = await start(
      viewer([photo], "{% input.message %}"),
    );
    await run(post([]));
    const content = { base64: png.toString("base64"), name: "b.png" };
    await accept(post([file("a.png"), content], { id: "m-2" }));
    await deletePerson();
    world.tenant.advance(3_600_000);
    await reply(queued[1]);
    expect(server.shown.at(-1)?.text).toBe(
      'Look\n\nAttachments that were not passed on: "a.png" (it is no longer kept), "b.png" (it is no longer kept).',
    );
    expect(await listFiles()).toEqual([]);
    await run(post([file("a.png")], { id: "m-3" }));
    expect(await listFiles()).toHaveLength(1);
  });

  test("with their content are deleted with their person, also if their message was repeated after the deletion", async () => {
    const { world, accept, listFiles, purgeFiles } = await start(viewer());
    const sent = post([{ base64: png.toString("base64"), name: "a.png" }]);
    await accept(sent);
    const at = world.tenant.ctx.clock();
    await accept(sent);
    await purgeFiles(at);
    expect(await listFiles()).toEqual([]);
  });

  test("with content beyond the bytes that the tenant stores on a day are refused with their message", async () => {
    const { world, run } = await start(viewer());
    const now = world.tenant.ctx.clock();
    const most = 100 * 1024 ** 3;
    const counted = { day: toDay(now), bytes: most, most, now };
    expect(await addStoredBytes(db, world.tenantId, counted)).toBe(true);
    const sent = run(post([{ base64: png.toString("base64"), name: "a.png" }]));
    await expect(sent).rejects.toMatchObject({ slug: "rate-limit-exceeded" });
    expect(await run(post([file("a.png")], { id: "m-2" }))).toContain("exceeds the 100 GiB");
  });

  test("that could not be passed on are named below an apology, too", async () => {
    const { run } = await start(viewer([photo], "{% $error('secret detail') %}"));
    const text = await run(post([file("missing.png")]));
    expect(text).toMatch(new RegExp(`^${apology}\n\nAttachments that were not passed on`));
  });

  test("of a message that is processed again are stored once, and named in its one reply", async () => {
    const { world, queued, accept, reply, listFiles } = await start(
      viewer([{ ...photo, multiple: true }], "{% input.photo.name %}"),
    );
    await accept(post([{ base64: png.toString("base64"), name: "a.png" }, file("missing.png")]));
    server.failNext({ status: 404, body: {} }, { status: 503 });
    await expect(reply()).rejects.toThrow("failed (503)");
    world.tenant.advance(60_000);
    await reply(queued[0]);
    await reply(queued[0]);
    expect(await listFiles()).toHaveLength(1);
    expect(await world.list("a")).toHaveLength(1);
    expect(server.shown.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^a\.png\n\nAttachments .*"missing\.png"/),
    ]);
  });

  test.each(["PutItem", "TransactWriteItems", "UpdateItem"])(
    "of a message are stored once if one %s fails",
    { timeout: 60_000 },
    async (command) => {
      for (let passing = 0; passing < 3; passing += 1) {
        server.shown.length = 0;
        const { world, queued, accept, reply } = await start(
          viewer([photo], "{% input.photo.name %}"),
        );
        await accept(post([file("a.png"), file("missing.png")]));
        db.failNext(command, passing);
        await reply().catch(() => undefined);
        db.clearFailures();
        for (let count = 0; count < 2; count += 1) {
          world.tenant.advance(60_000);
          await reply(queued[0]).catch(() => undefined);
        }
        const records = await world.list("a");
        expect(records.map(({ status }) => status)).toEqual(["Succeeded"]);
        expect(server.shown[0]?.text).toMatch(/^a\.png\n\nAttachments .*"missing\.png"/);
      }
    },
  );

  test("are named in the reply after a wait", async () => {
    const agent = {
      parametersMetadata: [message, photo],
      flow: {
        steps: [
          { id: "pause", type: "Wait", seconds: 3_600 },
          { id: "say", type: "Output", value: "{% input.photo.name %}" },
        ],
        edges: [{ source: "pause", target: "say" }],
      },
    };
    const { world, accept, reply, deps } = await start(agent);
    await accept(post([file("a.png"), file("missing.png")]));
    await reply();
    expect(server.shown).toEqual([]);
    const { tenant } = world;
    const wakes = tenant.sent.splice(0).flatMap((sent) => {
      const wake = WakeExecutionMessage.safeParse(sent);
      return wake.success ? [wake.data] : [];
    });
    tenant.advance(3_601_000);
    const schedules = { put: async () => undefined, remove: async () => undefined };
    for (const wake of wakes)
      await wakeExecution({ ...tenant.deps, ...world.deps, schedules }, wake);
    const replies: unknown[] = [];
    const send: typeof deps.send = async (queue, group, sent) => {
      if (queue === "chats") replies.push(sent);
      else await deps.send(queue, group, sent);
    };
    await world.work({ ...world.deps, send });
    for (const due of replies) {
      const deadline = tenant.ctx.clock() + 900_000;
      await sendDueReply(deps, { message: SendChatReplyMessage.parse(due), deadline });
    }
    expect(server.shown.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^a\.png\n\nAttachments .*"missing\.png"/),
    ]);
  });

  test("of another connector cannot be named by a message", async () => {
    const { accept, queued, reply, world } = await start(viewer());
    const other = await start(viewer());
    await other.accept(post([{ base64: png.toString("base64"), name: "a.png" }]));
    await accept(post([file("a.png")]));
    const [sent] = queued;
    const foreign = other.queued[0]?.message.attachments;
    if (!sent || !foreign) throw new Error("nothing was queued");
    await reply({ ...sent, message: { ...sent.message, attachments: foreign } });
    expect(server.shown.at(-1)?.text).toContain("is no longer kept");
    expect(await world.list("a")).toHaveLength(1);
  });

  test("a message without attachments makes no further storage call", async () => {
    const calls: Record<string, string[]> = {};
    for (const [name, agent] of Object.entries({
      none: viewer([], "{% input.message %}"),
      file: viewer([photo], "{% input.message %}"),
    })) {
      const { accept, reply } = await start(agent);
      await accept(post([]));
      db.calls.length = 0;
      await reply();
      calls[name] = [...db.calls].sort();
    }
    expect(calls.file).toEqual(calls.none);
  });
});

test("the schema of a queued message keeps its attachments", () => {
  const shape = z.object({ attachments: z.array(z.unknown()) });
  const attachments = [
    { name: null, mediaType: null, bytes: null, location: { reference: { id: "1" } } },
  ];
  const parsed = ReplyToChatMessage.shape.message.parse({
    id: "1",
    user: { id: "u", name: null },
    conversation: { id: "c", name: null },
    text: "",
    receivedAt: 0,
    attachments,
  });
  expect(shape.parse(parsed).attachments).toEqual(attachments);
});
