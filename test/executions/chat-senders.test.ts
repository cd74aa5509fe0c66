import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { findWebhookSample } from "../../lib/vendors/registry/find-webhook-sample.ts";
import { jsonRequest, type SampleRequest, withHeaders } from "../../lib/vendors/webhook-sample.ts";
import { call, expectProblem, newOrganization } from "../harness/api.ts";
import { type BotToken, mintBotToken, newBotKey } from "../harness/chat-apis/bot-framework.ts";
import { good } from "../harness/chat-apis/chat-api.ts";
import { type ChatServer, startChatServer } from "../harness/chat-apis/chat-server.ts";
import { samples } from "../samples/chat.ts";

const Connector = z.looseObject({ id: z.string() });
const agent = {
  parametersMetadata: [{ name: "message", type: "String" }],
  flow: { steps: [{ id: "say", type: "Output", value: "{% input.message %}" }], edges: [] },
};
const hour = 3_600_000;

/** Signers by provider: the webhook provider's sample, and the connector's parameter with the secret. */
const signers = {
  slack: {
    sample: "slack",
    secret: "signingSecret",
    more: { botToken: good.slack },
    isDated: true,
  },
  telegram: {
    sample: "telegram",
    secret: "secretToken",
    more: { botToken: good.telegram },
    isDated: false,
  },
  meta: { sample: "meta", secret: "appSecret", more: { accessToken: good.meta }, isDated: false },
  discord: {
    sample: "discord",
    secret: "publicKey",
    more: { botToken: good.discord },
    isDated: true,
  },
  generic: { sample: "standard", secret: "signingSecret", more: {}, isDated: true },
} as const;
type Signed = keyof typeof signers;

describe("the sender of a chat message", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let key: string;
  let server: ChatServer;

  beforeAll(async () => {
    own = await newOrganization();
    key = await own.mintKey(["inbound:deliver"]);
    server = await startChatServer();
    await own.deployAgent("bot", agent);
  });
  beforeEach(() => {
    server.shown.length = 0;
  });
  afterAll(() => server.close());

  const connect = async (provider: string, parameters: object) => {
    const body = { provider, parameters };
    const created = await own.send("POST", "/agents/bot/connectors", body);
    const path = `${own.base}/connectors/${provider}/${Connector.parse(created.body).id}/${key}`;
    return ({ body: raw, headers: { "content-type": type = "", ...headers } }: SampleRequest) =>
      call("POST", path, { raw, headers: { "Content-Type": type, ...headers } });
  };
  /** The provider shows the agent's reply in the conversation that the message came from. */
  const shows = (provider: keyof typeof samples, text: string) =>
    expect
      .poll(() => server.shown, { timeout: 20_000 })
      .toEqual([{ to: samples[provider].answeredTo, text }]);

  const connectSigned = async (provider: Signed) => {
    const { sample: id, secret, more } = signers[provider];
    const sample = findWebhookSample(id);
    if (!sample) throw new Error(`no sample ${id}`);
    const signingKey = sample.newKey(randomBytes);
    const post = await connect(provider, {
      ...more,
      ...(provider === "generic"
        ? { replyUrl: `${server.url}/replies` }
        : { apiUrl: `${server.url}/${provider}` }),
      [secret]: sample.toSigningSecret?.(signingKey) ?? signingKey,
    });
    const [{ payload, message }] = samples[provider].withMessage;
    const unsigned = jsonRequest(payload);
    const sign = (withKey = signingKey, now = Date.now()) => sample.sign(unsigned, withKey, now);
    return { post, unsigned, sign, otherKey: sample.newKey(randomBytes), text: message.text };
  };

  test.each(Object.keys(signers) as Signed[])(
    "of %s signs with the connector's secret and gets the reply, or is refused although the key in the path is right",
    async (provider) => {
      const { post, unsigned, sign, otherKey, text } = await connectSigned(provider);
      const refused = [
        ["unsigned", unsigned],
        ["signed with another secret", sign(otherKey)],
        ["signed for another body", { ...sign(), body: '{"type":2}' }],
        ["signed an hour ago", sign(undefined, Date.now() - hour)],
      ] as const;
      for (const [name, request] of refused) {
        // A token as a signature covers neither the body nor the time.
        if (provider === "telegram" && /body|ago/.test(name)) continue;
        if (!signers[provider].isDated && name.endsWith("ago")) continue;
        const { status, slug } = expectProblem(await post(request));
        expect([name, status, slug]).toEqual([name, 401, "unauthenticated"]);
      }
      expect((await post(sign())).status).toBeLessThan(300);
      await shows(provider, text);
    },
  );

  test("of Teams has a token of the Bot Framework for this bot and this service and gets the reply, or is refused although the key in the path is right", {
    tags: "nightly",
  }, async () => {
    const { privateKey } = inject("botFramework");
    const audience = `app-${own.slug}`;
    const post = await connect("teams", {
      appId: audience,
      appPassword: good.teams,
      apiUrl: `${server.url}/teams`,
    });
    const serviceUrl = `${server.url}/teams/service`;
    const [{ payload, message }] = samples.teams.withMessage;
    const activity = jsonRequest({ ...payload, serviceUrl });
    const mint = (more: Partial<BotToken> = {}, withKey = privateKey) =>
      mintBotToken(withKey, { audience, serviceUrl, ...more });
    const bearing = (authorization: string) => withHeaders(activity, { authorization });

    const [header, claims, signature] = (await mint()).split(".");
    const unprotected = Buffer.from('{"alg":"none"}').toString("base64url");
    const refused = [
      ["no token", activity],
      ["no bearer", bearing(await mint())],
      ["no JWT", bearing("Bearer nonsense")],
      ["an HMAC", bearing("HMAC c2lnbmF0dXJl")],
      ["not signed", bearing(`Bearer ${unprotected}.${claims}.`)],
      ["a signature of other claims", bearing(`Bearer ${header}.${claims}x.${signature}`)],
      ["another audience", bearing(`Bearer ${await mint({ audience: "another-app" })}`)],
      ["another issuer", bearing(`Bearer ${await mint({ issuer: "https://sts.windows.net/" })}`)],
      ["another service", bearing(`Bearer ${await mint({ serviceUrl: "https://x.example" })}`)],
      ["expired", bearing(`Bearer ${await mint({ expiresInSeconds: -600 })}`)],
      ["an unknown key", bearing(`Bearer ${await mint({ keyId: "unknown" })}`)],
      ["a forged key", bearing(`Bearer ${await mint({}, await newBotKey())}`)],
      [
        "no service in the activity",
        withHeaders(jsonRequest({ ...payload, serviceUrl: undefined }), {
          authorization: `Bearer ${await mint()}`,
        }),
      ],
      [
        "an activity of another channel",
        withHeaders(jsonRequest({ ...payload, serviceUrl, channelId: "webchat" }), {
          authorization: `Bearer ${await mint()}`,
        }),
      ],
    ] as const;
    for (const [name, request] of refused) {
      const { status, slug } = expectProblem(await post(request));
      expect([name, status, slug]).toEqual([name, 401, "unauthenticated"]);
    }

    // Three minutes late is within the five that clocks may differ.
    const late = await mint({ expiresInSeconds: -180, claim: "serviceUrl" });
    expect((await post(bearing(`Bearer ${late}`))).status).toBe(200);
    await shows("teams", message.text);
  });
});
