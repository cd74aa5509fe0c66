import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { good } from "../../../test/harness/chat-apis/chat-api.ts";
import { type ChatServer, startChatServer } from "../../../test/harness/chat-apis/chat-server.ts";
import { createRegistrarFetch } from "../../registration/registrar-fetch.ts";
import { parsePayload } from "../../webhooks/parse-payload.ts";
import { verifyStandard } from "../../webhooks/standard-signature.ts";
import type { ChatCall } from "../chat-provider.ts";
import { chatProvider } from "./index.ts";
import { samples } from "./samples.ts";

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
const callOf = (parameters: Record<string, string>): ChatCall => ({
  connectorId: "01900000-0000-7000-8000-000000000000",
  parameters,
  fetch: createRegistrarFetch(
    { outgoing: { allowPrivateAddresses: true }, clock: () => now, sleep: async () => undefined },
    now + 10_000,
  ),
  now,
});

const parametersOf = (id: keyof typeof samples): Record<string, string> => {
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

const providers = ["slack", "telegram", "discord", "meta", "teams", "generic"] as const;

describe.each(providers)("%s", (id) => {
  const provider = chatProvider(id);

  test.each(samples[id].said.map((sample) => [sample.name, sample] as const))(
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

  test.each(samples[id].unsaid.map((sample) => [sample.name, sample] as const))(
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

  test("answers where the message came from, with its credentials", async () => {
    const [sample] = samples[id].said;
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
    await provider.reply(callOf(parametersOf(id)), reply);
    expect(server.shown).toEqual([{ to: samples[id].answeredTo, text: "Hello back" }]);
  });

  test("is told good credentials from bad ones, whose failure does not quote them", async () => {
    await provider.test(callOf(parametersOf(id)));
    if (id === "generic") return;
    const wrong = Object.fromEntries(
      Object.entries(parametersOf(id)).map(([name, value]) => [
        name,
        name === "apiUrl" ? value : `1:${"wrong".repeat(3)}`,
      ]),
    );
    const failure = await provider.test(callOf(wrong)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toContain("wrongwrong");
  });
});

test("a generic reply is signed as Standard Webhooks says, and not at all without a secret", async () => {
  const provider = chatProvider("generic");
  const message = { ...samples.generic.said[0].message, receivedAt: now };
  const reply = { message, text: "Hi", id: "msg_1_0" };
  const parameters = parametersOf("generic");
  await provider.reply(callOf(parameters), reply);
  await provider.reply(callOf({ replyUrl: parameters.replyUrl ?? "" }), reply);
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
  expect(unsigned?.headers).not.toHaveProperty("webhook-signature");
});

test("a Slack answer stays in its thread", async () => {
  const provider = chatProvider("slack");
  const threaded = samples.slack.said.find(({ name }) => name === "a mention in a thread");
  const [read] = provider.readMessages(threaded?.payload);
  if (!read) throw new Error("nothing was read");
  const reply = { message: { ...read, receivedAt: now }, text: "Hi", id: "msg_1_0" };
  await provider.reply(callOf(parametersOf("slack")), reply);
  expect(server.shown).toEqual([{ to: "C123ABC456", text: "Hi", thread: "1515449483.000108" }]);
});

test("a Discord command whose token is no longer good is answered in its channel", async () => {
  const provider = chatProvider("discord");
  const [sample] = samples.discord.said;
  const [read] = provider.readMessages(sample.payload);
  if (!read) throw new Error("nothing was read");
  const late = { ...read, receivedAt: now - 15 * 60_000 };
  await provider.reply(callOf(parametersOf("discord")), {
    message: late,
    text: "Hi",
    id: "msg_1_0",
  });
  const refused = { ...read, receivedAt: now, replyTo: { ...read.replyTo, token: "expired" } };
  const reply = { message: refused, text: "Hi", id: "msg_1_0" };
  await provider.reply(callOf(parametersOf("discord")), reply);
  expect(server.shown.map(({ to }) => to)).toEqual(["645027906669510667", "645027906669510667"]);
});

test.each([
  "https://smba.trafficmanager.net.attacker.example/teams",
  "https://attacker.trafficmanager.net/teams",
  "https://attacker.example/teams",
  "http://smba.trafficmanager.net/teams",
  "https://smba.trafficmanager.net:8443/teams",
  "not a url",
])("a bot's token for Teams is not told to %s", async (service) => {
  const provider = chatProvider("teams");
  const [sample] = samples.teams.said;
  const [read] = provider.readMessages({ ...sample.payload, serviceUrl: service });
  if (!read) throw new Error("nothing was read");
  const reply = { message: { ...read, receivedAt: now }, text: "Hi", id: "msg_1_0" };
  await expect(provider.reply(callOf(parametersOf("teams")), reply)).rejects.toThrow("Microsoft");
  expect(server.requests).toEqual([]);
});
