import { createHmac, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";
import { findStoredTexts } from "../harness/stored-texts.ts";

const Connector = z.looseObject({
  id: z.string(),
  parameters: z.record(z.string(), z.string()),
  webhookUrl: z.string(),
});
const mask = "********";
const agent = {
  parametersMetadata: [{ name: "message", type: "String" }],
  flow: { steps: [{ id: "say", type: "Output", value: "{% input.message %}" }], edges: [] },
};

describe("a connector", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let key: string;

  beforeAll(async () => {
    own = await newOrganization();
    key = await own.mintKey(["inbound:deliver"]);
    await own.deployAgent("bot", agent);
    await own.deployAgent("other", agent);
  });

  const create = async (provider: string, parameters: object, more: object = {}) =>
    Connector.parse(
      (await own.send("POST", "/agents/bot/connectors", { provider, parameters, ...more })).body,
    );
  const buildPath = ({ id }: { id: string }, provider: string, withKey = key) =>
    `${own.base}/connectors/${provider}/${id}/${withKey}`;
  const slack = { botToken: "xoxb-1", signingSecret: "8f742231b10e8888abcd99yyyzzz85a5" };

  test("is created, read, listed, changed and deleted, with its credentials masked throughout", async () => {
    const created = await create("slack", slack, { name: "Support" });
    expect(created).toMatchObject({
      name: "Support",
      agentId: "bot",
      agentRevision: 1,
      provider: "slack",
      parameters: { botToken: mask, signingSecret: mask },
      active: true,
      policy: "AllowAll",
      onBoardingMessage: null,
    });
    expect(created.webhookUrl).toMatch(new RegExp(`/connectors/slack/${created.id}$`));
    const path = `/agents/bot/connectors/${created.id}`;
    expect((await own.send("GET", path)).body).toEqual(created);
    const changed = await own.send("PATCH", path, {
      policy: "RequireApproval",
      onBoardingMessage: "Soon.",
      parameters: { ...created.parameters, botToken: "xoxb-2" },
    });
    expect(changed.body).toMatchObject({
      policy: "RequireApproval",
      parameters: created.parameters,
    });
    const back = await own.send("PATCH", path, created);
    expect(back.body).toMatchObject({ policy: "AllowAll", onBoardingMessage: null });
    const list = await own.send("GET", "/agents/bot/connectors");
    expect(JSON.stringify(list.body)).toContain(created.id);
    expect(JSON.stringify(list.body)).not.toContain("xoxb");
    expect(
      expectProblem(await own.try("GET", `/agents/other/connectors/${created.id}`)).status,
    ).toBe(404);
    expect((await own.try("DELETE", path)).status).toBe(204);
    expect(expectProblem(await own.try("GET", path)).slug).toBe("not-found");
    expect(expectProblem(await own.try("DELETE", path)).slug).toBe("not-found");
    const gone = await call("POST", buildPath(created, "slack"), { raw: "{}" });
    expect(expectProblem(gone).slug).toBe("not-found");
  });

  test.each([
    ["slack", {}, "/parameters/botToken"],
    ["slack", { botToken: mask }, "/parameters/botToken"],
    ["slack", { botToken: "x", bot_token: "y" }, "/parameters/bot_token"],
    ["telegram", { botToken: "no token" }, "/parameters/botToken"],
    ["discord", { botToken: "x", publicKey: "ff" }, "/parameters/publicKey"],
    ["generic", { replyUrl: "chat" }, "/parameters/replyUrl"],
    ["slack", { botToken: "x", apiUrl: "https://slack.example/?a=1" }, "/parameters/apiUrl"],
    [
      "generic",
      { replyUrl: "https://a.example/", signingSecret: "s" },
      "/parameters/signingSecret",
    ],
    ["fax", {}, "/provider"],
  ])("of %s with %j is refused at %s", async (provider, parameters, pointer) => {
    const body = { provider, parameters };
    const problem = expectProblem(await own.try("POST", "/agents/bot/connectors", { body }));
    expect(problem.slug).toBe("validation-failed");
    expect(JSON.stringify(problem)).toContain(pointer);
  });

  test("does not take its stored credentials to another address", async () => {
    const created = await create("slack", slack);
    const body = { parameters: { botToken: mask, apiUrl: "https://attacker.example" } };
    const response = await own.try("PATCH", `/agents/bot/connectors/${created.id}`, { body });
    expect(expectProblem(response).detail).toContain("is required with another apiUrl");
  });

  test("responds to a check of its address as its provider expects", {
    tags: "nightly",
  }, async () => {
    const inSlack = await create("slack", slack);
    const challenge = await call("POST", buildPath(inSlack, "slack"), {
      ...signedBySlack(slack.signingSecret, { type: "url_verification", challenge: "3eZbrw1aB" }),
    });
    expect([challenge.status, challenge.text]).toEqual([200, "3eZbrw1aB"]);

    const inMeta = await create("meta", { accessToken: "t", verifyToken: "my-token" });
    const verify = (token: string) =>
      call(
        "GET",
        `${buildPath(inMeta, "meta")}?hub.mode=subscribe&hub.challenge=77&hub.verify_token=${token}`,
      );
    expect((await verify("my-token")).text).toBe("77");
    expect(expectProblem(await verify("another"))).toMatchObject({
      status: 403,
      slug: "verification-failed",
      detail: expect.stringContaining("hub.verify_token"),
    });
    const reader = await own.mintKey(["agents:read"]);
    const query = "?hub.mode=subscribe&hub.challenge=77&hub.verify_token=my-token";
    const path = buildPath(inMeta, "meta").slice(0, -key.length);
    expect((await call("GET", `${path}wharf_live_nonsense${query}`)).status).toBe(401);
    expect((await call("GET", `${path}${reader}${query}`)).status).toBe(403);

    const pair = generateKeyPairSync("ed25519");
    const publicKey = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url");
    const inDiscord = await create("discord", {
      botToken: "t",
      publicKey: publicKey.toString("hex"),
    });
    const ping = (body: string, signed = body) => {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = sign(null, Buffer.from(timestamp + signed), pair.privateKey).toString(
        "hex",
      );
      return call("POST", buildPath(inDiscord, "discord"), {
        raw: body,
        headers: { "X-Signature-Ed25519": signature, "X-Signature-Timestamp": timestamp },
      });
    };
    const pong = await ping('{"type":1}');
    expect([pong.status, pong.body]).toEqual([200, { type: 1 }]);
    expect((await ping('{"type":1}', "other")).status).toBe(401);
  });

  test("receives messages signed by its provider, and rejects forged, unknown and forbidden ones", async () => {
    const created = await create("slack", slack);
    const event = { type: "event_callback", event: { type: "message", subtype: "channel_join" } };
    const signed = signedBySlack(slack.signingSecret, event);
    expect((await call("POST", buildPath(created, "slack"), signed)).status).toBe(204);
    const forged = signedBySlack("another", event);
    expect((await call("POST", buildPath(created, "slack"), forged)).status).toBe(401);
    const other = await newOrganization();
    const foreign = await other.mintKey(["inbound:deliver"]);
    const reader = await own.mintKey(["agents:read"]);
    const path = `${own.base}/connectors/slack/${created.id}`;
    const attempts: [string, number][] = [
      [`${path}/wharf_live_nonsense`, 401],
      [`${path}/${reader}`, 403],
      [`${path}/${foreign}`, 404],
      [buildPath({ id: randomUUID() }, "slack"), 404],
      [buildPath(created, "telegram"), 404],
      [buildPath(created, "github"), 404],
    ];
    for (const [where, status] of attempts) {
      const response = await call("POST", where, { raw: "{}" });
      const problem = expectProblem(response);
      expect(problem.status, where).toBe(status);
      expect(problem.instance).toBe(where.split("/").slice(0, 7).join("/"));
      for (const secret of [key, reader, foreign]) expect(response.text).not.toContain(secret);
    }
    await own.send("PATCH", `/agents/bot/connectors/${created.id}`, { active: false });
    expect((await call("POST", buildPath(created, "slack"), signed)).status).toBe(404);
  });

  test("returns the validation problems of a generic message", async () => {
    const created = await create("generic", { replyUrl: "https://chat.example.com/replies" });
    const response = await call("POST", buildPath(created, "generic"), {
      body: { id: "1", user: { id: "u" }, conversation: {}, text: "" },
    });
    const problem = expectProblem(response);
    expect(problem.slug).toBe("validation-failed");
    expect(JSON.stringify(problem)).toMatch(/\/conversation\/id.*\/text/);
  });

  test("returns from a test call why its provider cannot be reached", async () => {
    const created = await create("generic", { replyUrl: "https://chat.invalid/replies" });
    const tested = await own.send("POST", `/agents/bot/connectors/${created.id}:test`);
    expect(tested.body).toMatchObject({
      ok: false,
      upstreamStatus: null,
      detail: expect.stringContaining("chat.invalid"),
    });
  });

  test("is deleted with its agent", { tags: "nightly" }, async () => {
    await own.deployAgent("leaving", agent);
    const body = { provider: "generic", parameters: { replyUrl: "https://chat.example.com/" } };
    const created = Connector.parse(
      (await own.send("POST", "/agents/leaving/connectors", body)).body,
    );
    await own.try("DELETE", "/agents/leaving");
    await expect
      .poll(async () => (await call("POST", buildPath(created, "generic"), { body: {} })).status, {
        timeout: 15_000,
      })
      .toBe(404);
  });

  test("leaves the key of its address and its signing secret in no item and no file of the product", async () => {
    const own = await newOrganization();
    const secret = await own.mintKey(["inbound:deliver"]);
    await own.deployAgent("bot", agent);
    const created = Connector.parse(
      (await own.send("POST", "/agents/bot/connectors", { provider: "slack", parameters: slack }))
        .body,
    );
    const path = `${own.base}/connectors/slack/${created.id}/${secret}`;
    const signed = signedBySlack(slack.signingSecret, {});
    expect((await call("POST", path, signed)).status).toBe(204);
    const texts = [secret, slack.signingSecret, created.id];
    expect(await findStoredTexts(texts)).toEqual([created.id]);
  });
});

const signedBySlack = (secret: string, payload: unknown) => {
  const raw = JSON.stringify(payload);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", secret).update(`v0:${timestamp}:${raw}`).digest("hex");
  return {
    raw,
    headers: {
      "Content-Type": "application/json",
      "X-Slack-Request-Timestamp": timestamp,
      "X-Slack-Signature": `v0=${signature}`,
    },
  };
};
