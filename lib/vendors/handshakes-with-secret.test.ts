import { describe, expect, test } from "vitest";
import {
  acknowledge,
  createKey,
  greet,
  webhookNow as now,
  providerAndSample,
  toInbound,
} from "../../test/harness/webhooks.ts";
import { jsonRequest } from "./webhook-sample.ts";

const get = (query: Readonly<Record<string, string>>) =>
  toInbound({ headers: {}, body: "" }, { method: "GET", query });
const post = (value: unknown) => toInbound(jsonRequest(value));
const plain = "text/plain; charset=utf-8";

describe("Meta", () => {
  const check = (changes: Readonly<Record<string, string>> = {}) =>
    get({
      "hub.mode": "subscribe",
      "hub.verify_token": "chosen",
      "hub.challenge": "1158201444",
      ...changes,
    });

  test("gets its challenge back when it sends the verify token", () => {
    const response = { status: 200, contentType: plain, body: "1158201444" };
    expect(greet("meta", check(), "app:chosen")).toEqual({ response });
    expect(greet("meta", check({ "hub.verify_token": "app" }), "app")).toEqual({ response });
    expect(greet("meta", check({ "hub.verify_token": "a:b" }), "app:a:b")).toEqual({ response });
  });

  test("is refused for another verify token or mode", () => {
    const refused = { refused: expect.stringContaining("verify token") };
    expect(greet("meta", check(), "chosen:other")).toEqual(refused);
    expect(greet("meta", check(), null)).toEqual(refused);
    const wrong: Record<string, string>[] = [
      { "hub.mode": "unsubscribe" },
      { "hub.verify_token": "" },
      { "hub.challenge": "" },
    ];
    for (const changes of wrong) {
      expect(greet("meta", check(changes), "app:chosen")).toEqual(refused);
    }
    expect(greet("meta", get({}), "app:chosen")).toEqual(refused);
  });

  test("its deliveries are signed with the app secret alone, and get 200", () => {
    const { provider, sample } = providerAndSample("meta");
    const [make] = Object.values(sample.events);
    const request = toInbound(sample.sign(make!(now), "app", now));
    expect(provider.signing.verify(request, "app:chosen", now)).toBe(true);
    expect(provider.signing.verify(request, "chosen:app", now)).toBe(false);
    expect(acknowledge("meta", make!(now))).toEqual({ status: 200 });
  });
});

describe("Notion", () => {
  const token = "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl";

  test("sends its token, which becomes the secret, is shown, and is never replaced", () => {
    const tokenHandshake = {
      response: { status: 200 },
      learns: { secret: token, showBecause: expect.stringContaining("verification token") },
    };
    expect(greet("notion", post({ verification_token: token }), null)).toEqual(tokenHandshake);
    expect(greet("notion", post({ verification_token: token }), token)).toEqual(tokenHandshake);
    const other = post({ verification_token: `${token.slice(0, -1)}X` });
    expect(greet("notion", other, token)).toBeUndefined();
  });

  test("no token is learnt of a signed request, a GET, or a text that is none", () => {
    const body = { verification_token: token };
    const signed = toInbound(jsonRequest(body, { "x-notion-signature": "sha256=0" }));
    expect(greet("notion", signed, null)).toBeUndefined();
    for (const bad of ["", "short", `${token}\n`, "x".repeat(257), 7, null]) {
      expect(greet("notion", post({ verification_token: bad }), null)).toBeUndefined();
    }
  });

  test("the received secret verifies later deliveries", () => {
    const { provider, sample } = providerAndSample("notion");
    const [make] = Object.values(sample.events);
    const request = toInbound(sample.sign(make!(now), token, now));
    expect(provider.signing.verify(request, token, now)).toBe(true);
    expect(acknowledge("notion", make!(now))).toEqual({ status: 200 });
  });
});

describe("Discord", () => {
  const { sample } = providerAndSample("discord");
  const { key, secret } = createKey(sample);
  const signed = (value: unknown) => toInbound(sample.sign(jsonRequest(value), key, now));

  test("an interaction's ping gets a pong in JSON, a webhook event's ping 204 with a content type", () => {
    expect(greet("discord", signed({ type: 1, token: "t" }), secret)?.response).toEqual({
      status: 200,
      contentType: "application/json",
      body: '{"type":1}',
    });
    expect(greet("discord", signed({ version: 1, type: 0 }), secret)?.response).toEqual({
      status: 204,
      contentType: "application/json",
    });
  });

  test("an unsigned ping is refused once there is a secret", () => {
    expect(greet("discord", post({ type: 1 }), secret)).toBeUndefined();
    expect(greet("discord", post({ type: 0 }), secret)).toBeUndefined();
  });

  test("an event of type 1 is no ping", () => {
    const event = { version: 1, type: 1, event: { type: "APPLICATION_AUTHORIZED" } };
    expect(greet("discord", signed(event), secret)).toBeUndefined();
  });

  test("interactions get a deferred response, events 204", () => {
    const bodies = [2, 3, 4, 5].map(
      (type) => acknowledge("discord", jsonRequest({ type, token: "t" })).body,
    );
    expect(bodies).toEqual([
      '{"type":5}',
      '{"type":6}',
      '{"type":8,"data":{"choices":[]}}',
      '{"type":5}',
    ]);
    const event = sample.events.APPLICATION_AUTHORIZED!(now);
    expect(acknowledge("discord", event)).toMatchObject({ status: 204 });
  });
});
