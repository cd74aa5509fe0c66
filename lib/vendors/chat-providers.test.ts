import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { good } from "../../test/harness/chat-apis/chat-api.ts";
import { type ChatServer, startChatServer } from "../../test/harness/chat-apis/chat-server.ts";
import { samples } from "../../test/samples/chat.ts";
import { conversations, presses, withButtons } from "../../test/samples/presses.ts";
import { splitReply } from "../chat/conversation/split-reply.ts";
import { createProviderFetch } from "../platform/outgoing/provider-fetch.ts";
import { verifyStandard } from "../platform/signatures/standard.ts";
import { type ChatCall, maxButtons } from "./chat-provider.ts";
import { chatProvider } from "./registry/find-chat-provider.ts";
import { buildThumbs, readThumb } from "./shared/chat/thumbs.ts";
import { parsePayload } from "./shared/webhook/parse-payload.ts";

const signingSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
let server: ChatServer;
beforeAll(async () => {
  server = await startChatServer();
});
beforeEach(() => {
  server.shown.length = 0;
  server.requests.length = 0;
});
afterAll(() => server.close());

const now = Date.now();
const buildCall = (parameters: Record<string, string>): ChatCall => ({
  connectorId: "01900000-0000-7000-8000-000000000000",
  parameters,
  fetch: createProviderFetch(
    { outgoing: { allowPrivateAddresses: true }, clock: () => now, sleep: async () => undefined },
    now + 10_000,
  ),
  now,
});

const buildParameters = (id: keyof typeof samples): Record<string, string> => {
  const api = { apiUrl: `${server.url}/${id}` };
  switch (id) {
    case "slack":
      return { ...api, botToken: good.slack };
    case "telegram":
      return { ...api, botToken: good.telegram };
    case "discord":
      return { ...api, botToken: good.discord, publicKey: "00".repeat(32) };
    case "meta":
      return { ...api, accessToken: good.meta };
    case "teams":
      return { ...api, appId: "app", appPassword: good.teams };
    case "generic":
      return { replyUrl: `${server.url}/replies`, signingSecret };
  }
};

type Items = readonly { title: string; link: string | null }[];

/** Expected members of a reply with sources. */
const listed: Record<(typeof providers)[number], (items: Items) => object> = {
  slack: () => ({
    text: "Hi 😀\n\nSources:\n• <https://example.com/plan?a=1&amp;b=(2)|R&amp;D &lt;plan&gt; [1]>\n• upload.pdf",
  }),
  telegram: ([first]) => ({
    text: "Hi 😀\n\nSources:\n• R&D <plan> [1]\n• upload.pdf",
    entities: [{ type: "text_link", offset: 18, length: first?.title.length, url: first?.link }],
  }),
  discord: () => ({
    content:
      "Hi 😀\n\nSources:\n• [R&D \\<plan\\> \\[1\\]](<https://example.com/plan?a=1&b=%282%29>)\n• upload.pdf",
  }),
  meta: () => ({
    text: {
      body: "Hi 😀\n\nSources:\n• R&D <plan> [1]: https://example.com/plan?a=1&b=(2)\n• upload.pdf",
    },
  }),
  teams: () => ({
    text: "Hi 😀\n\nSources:\n- [R&D \\<plan\\> \\[1\\]](https://example.com/plan?a=1&b=%282%29)\n- upload.pdf",
  }),
  generic: (items) => ({ text: "Hi 😀", sources: items }),
};

const providers = ["slack", "telegram", "discord", "meta", "teams", "generic"] as const;

describe.each(providers)("%s", (id) => {
  const provider = chatProvider(id);

  test.each(samples[id].withMessage.map((sample) => [sample.name, sample] as const))(
    "reads %s",
    (_, { payload, message, ...more }) => {
      const body = typeof payload === "string" ? payload : JSON.stringify(payload);
      const read = provider.readMessages(
        parsePayload(
          "contentType" in more ? more.contentType : "application/json",
          Buffer.from(body),
        ),
      );
      expect(read).toMatchObject([message]);
    },
  );

  test.each(samples[id].withoutMessage.map((sample) => [sample.name, sample] as const))(
    "is silent on %s",
    (_, { payload }) => {
      expect(provider.readMessages(payload)).toEqual([]);
    },
  );

  test.each([null, undefined, 7, "text", [], {}, { event: [] }, { entry: [null, { changes: 1 }] }])(
    "reads nothing of %j, and does not throw",
    (payload) => {
      expect(provider.readMessages(payload)).toEqual([]);
    },
  );

  test("replies to the conversation of the message, with its credentials", async () => {
    const [sample] = samples[id].withMessage;
    const payload = JSON.parse(
      JSON.stringify(sample?.payload).replace(
        "https://smba.trafficmanager.net/teams",
        `${server.url}/teams/service`,
      ),
    );
    const [read] = provider.readMessages(payload);
    if (!read) throw new Error("nothing was read");
    const message = { ...read, receivedAt: now };
    const reply = { message, text: "Hello back", id: "msg_1_0" };
    await provider.reply(buildCall(buildParameters(id)), reply);
    expect(server.shown).toEqual([{ to: samples[id].answeredTo, text: "Hello back" }]);
  });

  test("lists the sources of a reply as links in the provider's own form", async () => {
    const [sample] = samples[id].withMessage;
    const service = "https://smba.trafficmanager.net/teams";
    const json = JSON.stringify(sample?.payload);
    const payload = JSON.parse(json.replace(service, `${server.url}/teams/service`));
    const [read] = provider.readMessages(payload);
    if (!read) throw new Error("nothing was read");
    const items = [
      { title: "R&D <plan> [1]", link: "https://example.com/plan?a=1&b=(2)" },
      { title: "upload.pdf", link: null },
    ];
    const message = { ...read, receivedAt: now };
    const sources = { heading: "Sources:", items };
    const reply = { message, text: "Hi 😀", id: "msg_1_0", sources };
    await provider.reply(buildCall(buildParameters(id)), reply);
    expect(server.requests.at(-1)?.body).toMatchObject(listed[id](items));
  });

  test("distinguishes valid from invalid credentials without quoting them in the error", async () => {
    await provider.test(buildCall(buildParameters(id)));
    if (id === "generic") return;
    const wrong = Object.fromEntries(
      Object.entries(buildParameters(id)).map(([name, value]) => [
        name,
        name === "apiUrl" ? value : `1:${"wrong".repeat(3)}`,
      ]),
    );
    const failure = await provider.test(buildCall(wrong)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toContain("wrongwrong");
  });
});

const executionId = "01a20240-5c11-7d2c-8b5e-0a6d4e1f7399";
const Data = z.array(z.string());
/** Strings in a body that name the execution. */
const dataIn = (value: unknown): string[] => {
  if (typeof value === "string") return value.includes(executionId) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(dataIn) : [];
};
test.each(withButtons)("%s shows thumbs under a reply, and reads the pressed one", async (id) => {
  const provider = chatProvider(id);
  const [sample] = samples[id].withMessage;
  const text = JSON.stringify(sample?.payload).replace(
    "https://smba.trafficmanager.net/teams",
    `${server.url}/teams/service`,
  );
  const [message] = provider.readMessages(JSON.parse(text));
  if (!message) throw new Error("nothing was read");
  const reply = { message: { ...message, receivedAt: now }, text: "Hello back", id: "msg_1_0" };
  const buttons = buildThumbs(executionId);
  await provider.reply(buildCall(buildParameters(id)), { ...reply, buttons });
  expect(server.shown).toEqual([{ to: samples[id].answeredTo, text: "Hello back" }]);
  const [up = "", down = ""] = Data.parse(dataIn(server.requests.at(-1)?.body));
  const read = (payload: unknown) => {
    const press = provider.buttons?.readPress(payload);
    return press && readThumb(press);
  };
  expect([up, down].map((data) => read(presses(server.url)[id](data)))).toMatchObject([
    { executionId, isUp: true },
    { executionId, isUp: false },
  ]);
  for (const payload of [
    null,
    {},
    presses(server.url)[id](""),
    presses(server.url)[id]("other"),
    presses(server.url)[id](`${up}:x`),
  ]) {
    expect(read(payload)).toBeUndefined();
  }
  expect(provider.readMessages(presses(server.url)[id](up))).toEqual([]);
  await provider.reply(buildCall(buildParameters(id)), reply);
  expect(dataIn(server.requests.at(-1)?.body)).toEqual([]);
});

test.each(withButtons)(
  "%s posts a message with six buttons, finds it again by a press, and replaces it",
  async (id) => {
    const { buttons } = chatProvider(id);
    if (!buttons) throw new Error("there are no buttons");
    const call = buildCall(buildParameters(id));
    const shown = Array.from({ length: maxButtons }, (_, at) => ({
      label: `Action ${at}`,
      data: `${executionId}:${at}`,
    }));
    const post = { conversationId: conversations[id], id: "1" };
    const posted = await buttons.post(call, { ...post, text: "Pay <!here>?", buttons: shown });
    expect(posted.conversationId).toBe(conversations[id]);
    const data = Data.parse(dataIn(server.requests.at(-1)?.body));
    expect(data).toEqual(shown.map((button) => button.data));
    const press = buttons.readPress(presses(server.url)[id](data[5] ?? ""));
    expect(press).toMatchObject({
      user: { name: "Ada" },
      data: `${executionId}:5`,
      message: { conversationId: conversations[id] },
    });
    await buttons.replace(call, posted, { text: "Ada decided.", buttons: [] });
    if (press?.message) {
      await buttons.replace(call, press.message, { text: "Ada decided.", buttons: [] });
    }
    expect(dataIn(server.requests.at(-1)?.body)).toEqual([]);
    const [first, second, third] = server.shown;
    expect([first?.replaces, second?.text, third?.text]).toEqual([
      undefined,
      "Ada decided.",
      "Ada decided.",
    ]);
    expect(second?.replaces).toBeDefined();
    expect(third?.replaces).toBe(second?.replaces);
    expect(server.shown.map(({ text }) => text).join()).not.toContain(
      id === "slack" ? "<!here>" : "@everyone",
    );
  },
);

test.each(["slack", "telegram", "discord"] as const)(
  "%s refuses a conversation that is not its own, and sends nothing",
  async (id) => {
    const call = buildCall(buildParameters(id));
    const post = { conversationId: "../x", id: "1", text: "Pay?", buttons: [] };
    await expect(chatProvider(id).buttons?.post(call, post)).rejects.toThrow("no conversation");
    expect(server.requests).toEqual([]);
  },
);

test("a message of Telegram that shows the text already counts as replaced", async () => {
  const { buttons } = chatProvider("telegram");
  const message = { conversationId: "-7", reference: { chat: "-7", message: "2" } };
  const call = buildCall(buildParameters("telegram"));
  await buttons?.replace(call, message, { text: "Decided (same)", buttons: [] });
  expect(server.requests).toHaveLength(1);
});

test.each(["meta", "generic"] as const)("%s posts a text into a conversation", async (id) => {
  const post = { conversationId: id === "meta" ? "10:20" : "c-1", id: "1", text: "Pay?" };
  await chatProvider(id).postText?.(buildCall(buildParameters(id)), post);
  expect(server.shown).toEqual([{ to: post.conversationId, text: "Pay?" }]);
});

test("a generic reply is signed according to Standard Webhooks, and has only an id without a secret", async () => {
  const provider = chatProvider("generic");
  const message = { ...samples.generic.withMessage[0].message, receivedAt: now };
  const reply = { message, text: "Hi", id: "msg_1_0" };
  const parameters = buildParameters("generic");
  await provider.reply(buildCall(parameters), reply);
  await provider.reply(buildCall({ replyUrl: parameters.replyUrl ?? "" }), reply);
  const [signed, unsigned] = server.requests;
  const headers = new Map(
    Object.entries(signed?.headers ?? {}).map(([name, value]) => [name, [value]]),
  );
  const request = {
    method: "POST",
    headers,
    query: {},
    body: Buffer.from(signed?.raw ?? ""),
  } as const;
  const bytes = Buffer.from(signingSecret.slice(6), "base64");
  expect(verifyStandard(request, "webhook", { version: "v1", bytes }, now)).toBe(true);
  expect(headers.get("webhook-id")).toEqual(["msg_1_0"]);
  expect(unsigned?.headers["webhook-id"]).toBe("msg_1_0");
  expect(unsigned?.headers).not.toHaveProperty("webhook-timestamp");
  expect(unsigned?.headers).not.toHaveProperty("webhook-signature");
});

test("a Slack reply stays in its thread", async () => {
  const provider = chatProvider("slack");
  const threaded = samples.slack.withMessage.find(({ name }) => name === "a mention in a thread");
  const [read] = provider.readMessages(threaded?.payload);
  if (!read) throw new Error("nothing was read");
  const reply = { message: { ...read, receivedAt: now }, text: "Hi", id: "msg_1_0" };
  await provider.reply(buildCall(buildParameters("slack")), reply);
  expect(server.shown).toEqual([{ to: "C123ABC456", text: "Hi", thread: "1515449483.000108" }]);
});

const slackCommand = (more: object = {}) => {
  const payload = {
    command: "/weather",
    user_id: "U1",
    channel_id: "C1",
    trigger_id: "1.2",
    ...more,
  };
  const [read] = chatProvider("slack").readMessages(payload);
  if (!read) throw new Error("nothing was read");
  return { message: { ...read, receivedAt: now }, text: "Hi", id: "msg_1_0" };
};

test("a Slack command gets its reply at its response URL while that is valid, then in its channel", async () => {
  const { reply } = chatProvider("slack");
  const call = buildCall(buildParameters("slack"));
  const command = slackCommand({ response_url: `${server.url}/slack/commands/1/2` });
  await reply(call, command);
  await reply({ ...call, now: now + 30 * 60_000 }, command);
  await reply(call, slackCommand({ response_url: `${server.url}/slack/commands/used` }));
  await reply(call, slackCommand());
  expect(server.shown.map(({ to }) => to)).toEqual(["in_channel", "C1", "C1", "C1"]);
  const [first] = server.requests;
  expect(first?.headers).not.toHaveProperty("authorization");
});

test.each(["https://attacker.example/x", "http://hooks.slack.com/x", "http://127.0.0.1:9/x", "no"])(
  "a Slack command gets no reply at %s",
  async (response_url) => {
    await chatProvider("slack").reply(
      buildCall(buildParameters("slack")),
      slackCommand({ response_url }),
    );
    expect(server.shown.map(({ to }) => to)).toEqual(["C1"]);
  },
);

test("a failure at the response URL of a Slack command does not quote it", async () => {
  const command = slackCommand({ response_url: `${server.url}/slack/commands/of-nobody-else` });
  server.failNext({ status: 500 });
  const replying = chatProvider("slack").reply(buildCall(buildParameters("slack")), command);
  const failure = await replying.catch((error: unknown) => error);
  expect(failure).toMatchObject({ isTransient: true });
  expect(inspect(failure)).not.toContain("nobody-else");
});

test("the text of a Slack command without text is its name", () => {
  expect(slackCommand().message.text).toBe("/weather");
});

test("Slack markup is decoded in messages, and escaped in replies", async () => {
  const provider = chatProvider("slack");
  const plainTexts = {
    "1 &lt; 2 &amp;&amp; 3 &gt; 2, not &amp;lt;": "1 < 2 && 3 > 2, not &lt;",
    "see <https://a.example/?b=1&amp;c=2> and <http://a.example|a.example>":
      "see https://a.example/?b=1&c=2 and a.example",
    "<https://a.example|the page>, <mailto:b@a.example|b@a.example>":
      "the page (https://a.example), b@a.example",
    "Ask <@U1> and <@U2|cal> in <#C1|general> and <#C2>, <!here> <!subteam^S1|@team>":
      "Ask @U1 and @cal in #general and #C2, @here @team",
    "a < b <<@U1>": "a < b <@U1",
  };
  for (const [text, plain] of Object.entries(plainTexts)) {
    const event = { type: "message", user: "U1", channel: "C1", ts: "1.2", text };
    const payload = { type: "event_callback", event };
    expect(provider.readMessages(payload)).toMatchObject([{ text: plain }]);
    expect(slackCommand({ text }).message.text).toBe(plain);
  }
  const reply = { ...slackCommand(), text: "<!channel> & <@U1>" };
  await provider.reply(buildCall(buildParameters("slack")), reply);
  expect(server.shown[0]?.text).toBe("&lt;!channel&gt; &amp; &lt;@U1&gt;");
  const parts = splitReply("<&>".repeat(10_000), provider.textLimit(reply.message));
  for (const text of parts) {
    await provider.reply(buildCall(buildParameters("slack")), { ...reply, text });
  }
  expect(
    server.shown
      .slice(1)
      .map(({ text }) => text)
      .join(""),
  ).toBe("&lt;&amp;&gt;".repeat(10_000));
});

test("a reply on Instagram has at most 1,000 bytes per part, on Messenger 2,000 characters", () => {
  const { readMessages, textLimit } = chatProvider("meta");
  const longestOn = (object: string) => {
    const [sample] = samples.meta.withMessage.slice(1);
    const [read] = readMessages({ ...sample?.payload, object });
    if (!read) throw new Error("nothing was read");
    const parts = splitReply("ü".repeat(5_000), textLimit({ ...read, receivedAt: now }));
    return Math.max(...parts.map((part) => Buffer.byteLength(part)));
  };
  expect(longestOn("instagram")).toBe(1_000);
  expect(longestOn("page")).toBe(4_000);
});

test.each([
  [400, { code: 80007 }, true],
  [403, { code: 4 }, true],
  [400, { code: 131056 }, true],
  [400, { code: 2, is_transient: true }, true],
  [400, { code: 100 }, false],
  [403, { code: 10, is_transient: false }, false],
  [400, undefined, false],
])("Meta's %i with %j passes: %j", async (status, error, isTransient) => {
  const [sample] = samples.meta.withMessage;
  const [read] = chatProvider("meta").readMessages(sample.payload);
  if (!read) throw new Error("nothing was read");
  server.failNext({ status, body: error && { error } });
  const reply = { message: { ...read, receivedAt: now }, text: "Hi", id: "msg_1_0" };
  await expect(
    chatProvider("meta").reply(buildCall(buildParameters("meta")), reply),
  ).rejects.toMatchObject({ isTransient });
});

test("a Discord command with an expired token gets its reply in its channel", async () => {
  const provider = chatProvider("discord");
  const [sample] = samples.discord.withMessage;
  const [read] = provider.readMessages(sample.payload);
  if (!read) throw new Error("nothing was read");
  const late = { ...read, receivedAt: now - 15 * 60_000 };
  await provider.reply(buildCall(buildParameters("discord")), {
    message: late,
    text: "Hi",
    id: "msg_1_0",
  });
  const refused = { ...read, receivedAt: now, replyTo: { ...read.replyTo, token: "expired" } };
  const reply = { message: refused, text: "Hi", id: "msg_2_0" };
  await provider.reply(buildCall(buildParameters("discord")), reply);
  // Sent again, it is not shown again.
  await provider.reply(buildCall(buildParameters("discord")), reply);
  expect(server.shown.map(({ to }) => to)).toEqual(["645027906669510667", "645027906669510667"]);
});

test.each([
  "https://smba.trafficmanager.net.attacker.example/teams",
  "https://attacker.trafficmanager.net/teams",
  "https://attacker.example/teams",
  "http://smba.trafficmanager.net/teams",
  "https://smba.trafficmanager.net:8443/teams",
  "not a url",
])("a bot's token for Teams is not sent to %s", async (service) => {
  const provider = chatProvider("teams");
  const [sample] = samples.teams.withMessage;
  const [read] = provider.readMessages({ ...sample.payload, serviceUrl: service });
  if (!read) throw new Error("nothing was read");
  const reply = { message: { ...read, receivedAt: now }, text: "Hi", id: "msg_1_0" };
  await expect(provider.reply(buildCall(buildParameters("teams")), reply)).rejects.toThrow(
    "Microsoft",
  );
  expect(server.requests).toEqual([]);
});
