import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { good } from "../../../test/harness/chat-apis/chat-api.ts";
import { type ChatServer, startChatServer } from "../../../test/harness/chat-apis/chat-server.ts";
import { testDelivery } from "../../../test/harness/deliveries.ts";
import { testExecutions } from "../../../test/harness/execution.ts";
import { packJson } from "../../../test/harness/pack-json.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { createConnector } from "../../chat/connector/create-connector.ts";
import { deleteConnector } from "../../chat/connector/delete-connector.ts";
import type { CreateConnectorBody } from "../../chat/connector/schemas.ts";
import { updateConnector } from "../../chat/connector/update-connector.ts";
import { replyToMessage } from "../../chat/conversation/reply-to-message.ts";
import { ReplyToChatMessage } from "../../chat/messages.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import type { NotifySubscriberMessage } from "../messages.ts";
import { createSubscription } from "../webhook/create-subscription.ts";
import { createWebhook } from "../webhook/create-webhook.ts";
import { CreateSubscriptionBody } from "../webhook/schemas.ts";
import { notifySubscriber } from "./notify-subscriber.ts";
import { listDeliveryRuns } from "./result-store.ts";
import { claimDelivery, getDelivery } from "./store.ts";

const agent = {
  parametersMetadata: [{ name: "message", type: "String" }],
  flow: { steps: [{ id: "say", type: "Output", value: "{% input.message %}!" }], edges: [] },
};
const outgoing = { allowPrivateAddresses: true };
const hello = {
  id: "m-1",
  user: { id: "u-1", name: "Ada" },
  conversation: { id: "c-1" },
  text: "Hello",
};

describe("a delivery to a connector", () => {
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

  const start = async (more: Partial<CreateConnectorBody> = {}) => {
    const world = testExecutions(db);
    const { ctx, deps: storage } = world.tenant;
    const { tenant } = ctx;
    const now = ctx.clock();
    const times = { createdAt: now, modifiedAt: now };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "Test", ...times });
    await world.deploy("a", agent);
    const connector = await createConnector(
      { ...storage, outgoing },
      {
        ctx: { ...ctx, baseUrl: "http://localhost" },
        agentId: "a",
        body: { provider: "generic", parameters: { replyUrl: `${server.url}/replies` }, ...more },
      },
    );
    const webhook = await createWebhook(storage, {
      ctx: { ...ctx, baseUrl: "http://localhost" },
      body: { provider: "generic" },
    });
    const subscribe = (body: object = {}) =>
      createSubscription(storage, {
        ctx,
        webhookId: webhook.id,
        body: CreateSubscriptionBody.parse({
          subscriberType: "Connector",
          subscriberId: connector.id,
          ...body,
        }),
      });
    const deliver = async (payload: unknown): Promise<string> => {
      world.tenant.advance(1);
      const item = testDelivery(ctx, webhook.id, {
        provider: "generic",
        eventType: "said",
        deliveryId: null,
        headers: {},
        payload: packJson(payload),
      });
      await claimDelivery(db, world.tenantId, item);
      return item.id;
    };
    const queued: { group: string; message: unknown }[] = [];
    let refusals = 0;
    const send = async (queue: string, group: string, message: unknown) => {
      if (queue !== "chats") return;
      if (refusals > 0) {
        refusals -= 1;
        throw new Error("the queue does not respond");
      }
      queued.push({ group, message });
    };
    const notify = async (
      id: string,
      subscriptionId: string,
      more: Partial<NotifySubscriberMessage> = {},
    ) => {
      const { tenantId } = world;
      const message: NotifySubscriberMessage = {
        type: "notify-subscriber",
        tenantId,
        webhookId: webhook.id,
        id,
        subscriptionId,
        ...more,
      };
      await notifySubscriber({ ...world.deps, send }, { message, attempt: 1 });
      const delivery = await getDelivery(db, tenantId, webhook.id, id);
      const results = delivery ? await listDeliveryRuns(db, tenantId, delivery) : [];
      return results.find((result) => result.subscriptionId === subscriptionId);
    };
    const chatMessages = () => queued.map(({ message }) => ReplyToChatMessage.parse(message));
    const drain = async () => {
      for (const message of chatMessages()) {
        const deps = { ...world.deps, outgoing };
        await replyToMessage(deps, { message, deadline: ctx.clock() + 900_000 });
      }
      queued.length = 0;
      return server.shown.map(({ text }) => text);
    };
    /** Sends one delivery to one subscription and returns the outcome. */
    const deliverAndNotify = async (payload: unknown, body: object = {}) =>
      notify(await deliver(payload), (await subscribe(body)).id);
    const failNextSends = (count: number) => {
      refusals = count;
    };
    return {
      world,
      connector,
      webhook,
      subscribe,
      deliver,
      notify,
      chatMessages,
      queued,
      drain,
      deliverAndNotify,
      failNextSends,
    };
  };

  test("gets the reply of the connector's agent in its conversation, and has no execution of its own", {
    tags: "nightly",
  }, async () => {
    const { world, connector, deliverAndNotify, drain } = await start();
    const result = await deliverAndNotify(hello);
    expect(result).toMatchObject({ status: "Succeeded", executionId: null, error: null });
    expect(await drain()).toEqual(["Hello!"]);
    expect(server.requests[0]?.body).toMatchObject({ conversationId: "c-1", inReplyTo: "m-1" });
    const [record] = await world.list("a");
    expect(record?.trigger).toEqual({ type: 3, id: connector.id, provider: "generic" });
  });

  test("passes on attachments that the subscription's input maps, whatever the provider, without a credential", async () => {
    const telegram = { botToken: good.telegram, apiUrl: `${server.url}/telegram` };
    const { world, deliverAndNotify, drain } = await start({
      provider: "telegram",
      parameters: telegram,
    });
    await world.deploy("a", {
      parametersMetadata: [{ name: "files", type: "File", multiple: true }],
      flow: { steps: [{ id: "say", type: "Output", value: "{% input.files.name %}" }], edges: [] },
    });
    const url = `${server.url}/public/a.png`;
    const base64 = Buffer.from("Hello").toString("base64");
    const input = {
      id: "1",
      user: { id: "5" },
      conversation: { id: "5" },
      text: "",
      attachments: [
        { url, name: "a.png" },
        { base64, name: "b.txt" },
      ],
    };
    expect(await deliverAndNotify(hello, { input })).toMatchObject({ status: "Succeeded" });
    expect(await drain()).toEqual(['["a.png","b.txt"]']);
    const fetched = server.requests.find(({ path }) => path === "/public/a.png");
    expect(fetched?.headers).not.toHaveProperty("authorization");
  });

  test("that the queue delivers again is the same message, byte for byte; its reply is sent once", {
    tags: "nightly",
  }, async () => {
    const { world, subscribe, deliver, notify, queued, drain } = await start();
    const [id, subscription] = [await deliver(hello), await subscribe()];
    await notify(id, subscription.id);
    world.tenant.advance(5_000);
    await notify(id, subscription.id);
    const [first, second] = queued;
    expect(second).toEqual(first);
    expect(await drain()).toEqual(["Hello!"]);
  });

  test.each(["GetItem", "PutItem", "the queue"])(
    "gets one reply although %s fails on the way",
    { tags: "nightly" },
    async (what) => {
      for (let passing = 0; passing < 6; passing += 1) {
        server.shown.length = 0;
        const { subscribe, deliver, notify, drain, failNextSends } = await start();
        const [id, { id: subscriptionId }] = [await deliver(hello), await subscribe()];
        if (what === "the queue") failNextSends(1);
        else db.failNext(what, passing);
        await notify(id, subscriptionId).catch(() => undefined);
        const isUnfailed = db.clearFailures();
        expect(await notify(id, subscriptionId)).toMatchObject({ status: "Succeeded" });
        expect(await drain()).toEqual(["Hello!"]);
        if (isUnfailed || what === "the queue") return;
      }
    },
  );

  test("with a message that was received within a day gets no reply, by any path", {
    tags: "nightly",
  }, async () => {
    const { subscribe, deliver, notify, drain } = await start();
    const { id } = await subscribe();
    for (let count = 0; count < 2; count += 1) {
      expect(await notify(await deliver(hello), id)).toMatchObject({ status: "Succeeded" });
    }
    expect(await drain()).toEqual(["Hello!"]);
  });

  test("gets another reply for every replay", { tags: "nightly" }, async () => {
    const { world, subscribe, deliver, notify, drain } = await start();
    const id = await deliver(hello);
    const subscriptions = [await subscribe(), await subscribe({ input: { ...hello, id: null } })];
    const notifyAll = async (more: Partial<NotifySubscriberMessage> = {}) => {
      for (const subscription of subscriptions) await notify(id, subscription.id, more);
    };
    await notifyAll();
    expect(await drain()).toHaveLength(2);
    for (const texts of [4, 6]) {
      world.tenant.advance(1_000);
      const replayId = newUuid(world.tenant.ctx);
      await notifyAll({ replayId });
      await notifyAll({ replayId });
      expect(await drain()).toHaveLength(texts);
    }
  });

  test("may contain several messages, which get replies in order", async () => {
    const { deliverAndNotify, queued, chatMessages } = await start({
      provider: "meta",
      parameters: { accessToken: good.meta, apiUrl: `${server.url}/meta` },
    });
    const messages = ["one", "two", "three"].map((text) => ({
      id: `wamid.${text}`,
      from: "16505551234",
      text: { body: text },
    }));
    const value = { metadata: { phone_number_id: "106540352242922" }, messages };
    expect(await deliverAndNotify({ entry: [{ changes: [{ value }] }] })).toMatchObject({
      status: "Succeeded",
    });
    expect(new Set(queued.map(({ group }) => group)).size).toBe(1);
    const ids = chatMessages().map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(3);
    expect(chatMessages().map(({ message }) => message.text)).toEqual(["one", "two", "three"]);
  });

  test("without a message is ignored, and not a failure", async () => {
    const { deliverAndNotify, queued } = await start({
      provider: "slack",
      parameters: { botToken: good.slack, apiUrl: `${server.url}/slack` },
    });
    const event = { type: "message", user: "U1", channel: "C1", ts: "1.2", text: "I", bot_id: "B" };
    for (const sent of [event, { type: "reaction_added", user: "U1" }]) {
      expect(await deliverAndNotify({ type: "event_callback", event: sent })).toMatchObject({
        status: "Skipped",
        error: "The payload contains no message for a connector of Slack.",
      });
    }
    expect(queued).toEqual([]);
  });

  test("that is not a generic message fails, as at the connector's own address", async () => {
    const { deliverAndNotify, queued } = await start();
    expect(await deliverAndNotify({ ref: "refs/heads/main" })).toMatchObject({
      status: "Failed",
      error: expect.stringContaining("The payload is not a message"),
    });
    expect(queued).toEqual([]);
  });

  test("that does not match the filter is ignored", async () => {
    const { deliverAndNotify, queued } = await start();
    const result = await deliverAndNotify(hello, { filter: "payload.text = 'Bye'" });
    expect(result).toMatchObject({ status: "Skipped", error: null });
    expect(queued).toEqual([]);
  });

  describe("with an input", () => {
    const input = {
      user: { id: "{% payload.author %}" },
      conversation: { id: "{% payload.room %}", name: "Builds" },
      text: "{% eventType %}: {% payload.title %}",
    };
    const built = { author: "u-7", room: "c-7", title: "It broke" };

    test("is the message that this makes of it, under the delivery's id", {
      tags: "nightly",
    }, async () => {
      const { subscribe, deliver, notify, drain } = await start();
      const id = await deliver(built);
      const { id: subscriptionId } = await subscribe({ input });
      expect(await notify(id, subscriptionId)).toMatchObject({ status: "Succeeded", error: null });
      expect(await drain()).toEqual(["said: It broke!"]);
      expect(server.requests[0]?.body).toMatchObject({ conversationId: "c-7", inReplyTo: id });
    });

    test("is one message per subscription, unless they give it the same id", {
      tags: "nightly",
    }, async () => {
      const { subscribe, deliver, notify, drain } = await start();
      const id = await deliver(built);
      for (let count = 0; count < 2; count += 1) await notify(id, (await subscribe({ input })).id);
      expect(await drain()).toHaveLength(2);
      const named = { ...input, id: "{% payload.title %}" };
      for (let count = 0; count < 2; count += 1) {
        await notify(id, (await subscribe({ input: named })).id);
      }
      expect(await drain()).toHaveLength(3);
    });

    test.each<[unknown, string]>([
      ["{% payload.nothing %}", "does not return an object"],
      [{ ...input, user: undefined }, "/user "],
      [{ ...input, user: { id: "{% payload.nothing %}" } }, "/user/id "],
      [{ ...input, conversation: { id: 7 } }, "/conversation/id "],
      [{ ...input, text: "" }, "/text "],
      [{ ...input, id: "x".repeat(513) }, "/id "],
      [{ ...input, text: "{% $error('no title') %}" }, "input fails: "],
    ])("of %j fails, and the result names the place", async (given, words) => {
      const { deliverAndNotify, queued } = await start();
      const result = await deliverAndNotify(built, { input: given });
      expect(result).toMatchObject({ status: "Failed", error: expect.stringContaining(words) });
      expect(queued).toEqual([]);
    });

    test.each([
      ["slack", { botToken: good.slack }, "C1", { to: "C1" }],
      ["slack", { botToken: good.slack }, "C1:1.2", { to: "C1", thread: "1.2" }],
      ["telegram", { botToken: good.telegram }, "-1001", { to: "-1001" }],
      ["discord", { botToken: good.discord, publicKey: "00".repeat(32) }, "77", { to: "77" }],
      ["meta", { accessToken: good.meta }, "12:34", { to: "12:34" }],
      ["meta", { accessToken: good.meta }, "34", { to: "me:34" }],
    ] as const)(
      "gets its reply in %s at the conversation's id",
      { tags: "nightly" },
      async (provider, parameters, id, to) => {
        const { deliverAndNotify, drain } = await start({
          provider,
          parameters: { ...parameters, apiUrl: `${server.url}/${provider}` },
        });
        await deliverAndNotify({ ...built, room: id }, { input });
        await drain();
        expect(server.shown).toEqual([{ ...to, text: "said: It broke!" }]);
        expect(server.requests).toHaveLength(1);
        const lost = await deliverAndNotify({ ...built, room: "../me" }, { input });
        expect(lost).toMatchObject({
          status: "Failed",
          error: expect.stringContaining("cannot reply to this conversation.id"),
        });
      },
    );
  });

  test("waits for the approval of its user, as any message does", async () => {
    const { deliverAndNotify, drain } = await start({
      policy: "RequireApproval",
      onBoardingMessage: "Soon.",
    });
    expect(await deliverAndNotify(hello)).toMatchObject({ status: "Succeeded" });
    expect(await drain()).toEqual(["Soon."]);
  });

  test("to one that is not active any more, or was deleted, fails with words and is not thrown", async () => {
    const { world, connector, subscribe, deliver, notify, queued } = await start();
    const [id, { id: subscriptionId }] = [await deliver(hello), await subscribe()];
    const place = { agentId: "a", connectorId: connector.id };
    const { ctx, deps } = world.tenant;
    const change = { ...place, body: { active: false } };
    await updateConnector({ ...deps, outgoing }, { ctx, ...change });
    expect(await notify(id, subscriptionId)).toMatchObject({
      status: "Failed",
      error: "The connector is not active.",
    });
    await deleteConnector(deps, { tenantId: world.tenantId, ...place });
    expect(await notify(id, subscriptionId)).toMatchObject({
      status: "Failed",
      error: "The connector was deleted.",
    });
    expect(queued).toEqual([]);
  });
});
