import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, newOrganization } from "../harness/api.ts";
import { good } from "../harness/chat-apis/chat-api.ts";
import { type ChatServer, startChatServer } from "../harness/chat-apis/chat-server.ts";
import { withPhoto } from "../samples/attachments.ts";

const Id = z.looseObject({ id: z.string() });
const Deliveries = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      results: z.array(z.looseObject({ status: z.string(), executionId: z.string().nullable() })),
    }),
  ),
});
const Connector = z.looseObject({ id: z.string(), webhookUrl: z.string() });

/** Returns its message; on one with `slow` in it, it fails once and tries again three seconds later. */
const agent = {
  parametersMetadata: [
    { name: "message", type: "String" },
    { name: "user", type: "String" },
  ],
  flow: {
    steps: [
      {
        id: "say",
        type: "Transform",
        value:
          "{% $contains(input.message, 'slow') ? $error('not yet') : input.message & ', ' & input.user %}",
        retry: { maxAttempts: 2, backoffSeconds: 3, on: ["execution-failed"] },
      },
    ],
    edges: [],
  },
};

/** Returns the names and types of its files. */
const viewer = {
  parametersMetadata: [
    { name: "message", type: "String" },
    { name: "files", type: "File", accept: ["image/*", "text/*"], multiple: true },
  ],
  flow: {
    steps: [
      {
        id: "say",
        type: "Output",
        value: "{% input.message & $join(input.files.(name & ' ' & mediaType), ', ') %}",
      },
    ],
    edges: [],
  },
};

describe("a chat", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let key: string;
  let server: ChatServer;

  beforeAll(async () => {
    own = await newOrganization();
    key = await own.mintKey(["inbound:deliver"]);
    server = await startChatServer();
    await own.deployAgent("bot", agent);
    await own.deployAgent("viewer", viewer);
  });
  beforeEach(() => {
    server.shown.length = 0;
    server.requests.length = 0;
  });
  afterAll(() => server.close());

  const connect = async (
    provider: string,
    parameters: object,
    more: object = {},
    agentId = "bot",
  ) => {
    const body = { provider, parameters, ...more };
    const created = await own.send("POST", `/agents/${agentId}/connectors`, body);
    const { id } = Connector.parse(created.body);
    const path = `${own.base}/connectors/${provider}/${id}/${key}`;
    return { id, sendMessage: (body: object) => call("POST", path, { body }) };
  };
  const generic = (more: object = {}) =>
    connect("generic", { replyUrl: `${server.url}/replies` }, more);
  const message = (id: string, text: string, conversation = "c-1") => ({
    id,
    user: { id: "u-1", name: "Ada" },
    conversation: { id: conversation },
    text,
  });
  const shows = (texts: readonly string[]) =>
    expect.poll(() => server.shown.map(({ text }) => text), { timeout: 30_000 }).toEqual(texts);

  test("gets its replies in order, and does not delay another one", {
    tags: "nightly",
  }, async () => {
    const { sendMessage: runTurn } = await generic();
    expect((await runTurn(message("1", "slow"))).status).toBe(204);
    expect((await runTurn(message("2", "second"))).status).toBe(204);
    expect((await runTurn(message("3", "other", "c-2"))).status).toBe(204);
    await shows(["other, Ada", expect.stringContaining("Sorry"), "second, Ada"]);
  });

  test("a message that its provider repeats gets one reply", { tags: "nightly" }, async () => {
    const { sendMessage: runTurn } = await generic();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => runTurn(message("1", "once"))),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(204));
    await runTurn(message("2", "last"));
    await shows(["once, Ada", "last, Ada"]);
  });

  test("continues after an outage of the receiver of its replies", {
    tags: "nightly",
  }, async () => {
    const { sendMessage: runTurn } = await generic();
    server.failNext({ status: 503 });
    await runTurn(message("1", "patience"));
    await shows(["patience, Ada"]);
  });

  test("in Telegram gets its replies there", async () => {
    const { id, sendMessage: runTurn } = await connect("telegram", {
      botToken: good.telegram,
      apiUrl: `${server.url}/telegram`,
    });
    await runTurn({
      update_id: 10_000,
      message: {
        date: 1_441_645_532,
        chat: { id: 1_111_111, type: "private", first_name: "Grace" },
        message_id: 1_365,
        from: { id: 1_111_111, is_bot: false, first_name: "Grace" },
        text: "Hello",
      },
    });
    await shows(["Hello, Grace"]);
    expect(server.shown).toEqual([{ to: "1111111", text: "Hello, Grace" }]);
    const tested = await own.send("POST", `/agents/bot/connectors/${id}:test`);
    expect(tested.body).toMatchObject({ ok: true, detail: null });
  });

  test("passes on a photo of Telegram without a text, and content that a sender of its own attaches", async () => {
    const telegram = { botToken: good.telegram, apiUrl: `${server.url}/telegram` };
    const { sendMessage: sendPhoto } = await connect("telegram", telegram, {}, "viewer");
    const { payload } = withPhoto.telegram(server.url);
    expect((await sendPhoto(payload)).status).toBe(204);
    await shows(["photo.jpeg image/png"]);
    const replyUrl = `${server.url}/replies`;
    const { sendMessage } = await connect("generic", { replyUrl }, {}, "viewer");
    const attachments = [
      { base64: Buffer.from("a;b").toString("base64"), name: "a.csv" },
      { url: `${server.url}/public/b.pdf` },
    ];
    expect((await sendMessage({ ...message("1", "Look: "), attachments })).status).toBe(204);
    await shows([
      "photo.jpeg image/png",
      'Look: a.csv text/csv\n\nAttachments that were not passed on: "attachment 2" (this agent takes no files of the type application/pdf).',
    ]);
    const wrong = { ...message("2", ""), attachments: [{ base64: "***" }] };
    expect((await sendMessage(wrong)).status).toBe(400);
  });

  test("an unknown user gets the onboarding message once, and a reply after the approval", {
    tags: "nightly",
  }, async () => {
    const { sendMessage: runTurn } = await generic({
      policy: "RequireApproval",
      onBoardingMessage: "Welcome.",
    });
    await runTurn(message("1", "may I?"));
    await shows(["Welcome."]);
    await runTurn(message("2", "hello?"));
    const requests = z
      .object({ items: z.array(z.looseObject({ id: z.string() })) })
      .parse((await own.send("GET", "/agents/bot/chatUserAccessRequests")).body).items;
    const [request] = requests;
    await own.send("POST", `/agents/bot/chatUserAccessRequests/${request?.id}:approve`, {});
    await shows(["Welcome.", "may I?, Ada"]);
    await runTurn(message("3", "thanks"));
    await shows(["Welcome.", "may I?, Ada", "thanks, Ada"]);
  });

  test("also receives messages by a webhook that its connector is subscribed to; a replay gets another reply", {
    tags: "nightly",
  }, async () => {
    const { id } = await generic();
    const webhook = Id.parse((await own.send("POST", "/webhooks", { provider: "slack" })).body).id;
    const subscribe = (body: object) =>
      own.send("POST", `/webhooks/${webhook}/subscriptions`, {
        subscriberType: "Connector",
        subscriberId: id,
        ...body,
      });
    await subscribe({
      filter: "payload.event.type = 'message'",
      input: {
        id: "{% payload.event.ts %}",
        user: { id: "{% payload.event.user %}", name: "Ada" },
        conversation: { id: "{% payload.event.channel %}" },
        text: "{% payload.event.text %}",
      },
    });
    await subscribe({ filter: "payload.event.type = 'reaction_added'" });
    const event = { type: "message", user: "U1", channel: "C1", ts: "1.2", text: "by webhook" };
    const post = () =>
      call("POST", `${own.base}/webhooks/slack/${webhook}/${key}`, {
        body: { type: "event_callback", event_id: "Ev1", event },
      });
    await Promise.all([post(), post(), post()]);
    await shows(["by webhook, Ada"]);
    expect(server.shown).toEqual([{ to: "C1", text: "by webhook, Ada" }]);
    const deliveries = async () =>
      Deliveries.parse((await own.send("GET", `/webhooks/${webhook}/deliveries`)).body).items;
    const findDispatched = async () =>
      (await deliveries()).find(({ results }) => results.length === 2);
    await expect
      .poll(async () => (await findDispatched())?.results.map(({ status }) => status), {
        timeout: 15_000,
      })
      .toEqual(["Succeeded", "Skipped"]);
    const delivery = await findDispatched();
    expect(delivery).toMatchObject({ status: "Dispatched" });
    expect(delivery?.results.map(({ executionId }) => executionId)).toEqual([null, null]);
    await own.send("POST", `/webhooks/${webhook}/deliveries/${delivery?.id}:replay`);
    await shows(["by webhook, Ada", "by webhook, Ada"]);
  });

  test("a test call reports credentials that the provider does not accept", async () => {
    const { id } = await connect("slack", { botToken: "wrong", apiUrl: `${server.url}/slack` });
    const tested = await own.send("POST", `/agents/bot/connectors/${id}:test`);
    expect(tested.body).toMatchObject({ ok: false, detail: "Slack responded with invalid_auth." });
  });
});
