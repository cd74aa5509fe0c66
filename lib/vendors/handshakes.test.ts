import { createHmac } from "node:crypto";
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

describe("Slack", () => {
  const check = { type: "url_verification", challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd" };

  test("gets its challenge back as text, signed or before there is a secret", () => {
    const { sample } = providerAndSample("slack");
    const { key, secret } = createKey(sample);
    const response = { status: 200, contentType: plain, body: check.challenge };
    expect(greet("slack", post(check), null)).toEqual({ response });
    const signed = toInbound(sample.sign(jsonRequest(check), key, now));
    expect(greet("slack", signed, secret)).toEqual({ response });
  });

  test("is refused unsigned once there is a secret, and by GET", () => {
    expect(greet("slack", post(check), "secret")).toBeUndefined();
    expect(greet("slack", get({ challenge: "x" }), null)).toBeUndefined();
    expect(greet("slack", post({ type: "event_callback", challenge: "x" }), null)).toBeUndefined();
  });

  test("gets 200 without a body for commands and buttons, choices for a menu, 204 for events", () => {
    const { events } = providerAndSample("slack").sample;
    expect(acknowledge("slack", events["/hello"]!(now))).toEqual({ status: 200 });
    expect(acknowledge("slack", events.block_actions!(now))).toEqual({ status: 200 });
    expect(acknowledge("slack", events.app_mention!(now))).toEqual({ status: 204 });
    const menu = jsonRequest({ type: "block_suggestion" });
    expect(acknowledge("slack", menu)).toMatchObject({ status: 200, body: '{"options":[]}' });
  });
});

describe("Zoom", () => {
  const check = (plainToken: unknown) =>
    post({ event: "endpoint.url_validation", payload: { plainToken } });

  test("gets its token and the token's HMAC", () => {
    const plainToken = "qgg8vlvZRS6UYooatFL8Aw";
    const encryptedToken = createHmac("sha256", "secret").update(plainToken).digest("hex");
    expect(greet("zoom", check(plainToken), "secret")?.response).toEqual({
      status: 200,
      contentType: "application/json",
      body: JSON.stringify({ plainToken, encryptedToken }),
    });
  });

  test("signs nothing that could be a delivery, and nothing without a secret", () => {
    const forged = `v0:${now / 1_000}:{"event":"meeting.started"}`;
    for (const token of [forged, "v0:1:", "", "a b", "x".repeat(257), { a: 1 }, 7, null]) {
      expect(greet("zoom", check(token), "secret")).toHaveProperty("refused");
    }
    expect(greet("zoom", check("token"), null)).toHaveProperty("refused");
  });
});

describe("Microsoft Graph", () => {
  const token =
    "Validation: Testing client application reachability for subscription Request-Id: 1-2";
  const check = (validationToken: string, method: "GET" | "POST" = "POST") =>
    toInbound({ headers: {}, body: "" }, { method, query: { validationToken } });

  test("gets its token as plain text, unchanged", () => {
    const response = { status: 200, contentType: plain, body: token };
    expect(greet("teams", check(token), null)).toEqual({ response });
    expect(greet("teams", check(token, "GET"), null)).toBeUndefined();
    expect(greet("teams", check(""), null)).toBeUndefined();
  });

  test("the echo contains no executable markup, and is bounded", () => {
    const body = greet("teams", check(`<script>alert("1'&")</script>`), null)?.response?.body;
    expect(body).toBe("&lt;script&gt;alert(&quot;1&#39;&amp;&quot;)&lt;/script&gt;");
    expect(greet("teams", check("x".repeat(10_000)), null)?.response?.body).toHaveLength(4_096);
  });

  test("every item of a batch must repeat the secret", () => {
    const { signing } = providerAndSample("teams").provider;
    const batch = (...states: unknown[]) =>
      post({ value: states.map((clientState) => ({ clientState, changeType: "updated" })) });
    expect(signing.verify(batch("s", "s"), "s", now)).toBe(true);
    for (const states of [["s", "x"], ["s", undefined], ["s", null], [], ["S"], [["s"]]]) {
      expect(signing.verify(batch(...states), "s", now)).toBe(false);
    }
    expect(signing.isSigned(batch(undefined))).toBe(false);
    expect(signing.isSigned(batch(undefined, "x"))).toBe(true);
  });

  test("a wrong Authorization is not made good by clientState", () => {
    const { signing } = providerAndSample("teams").provider;
    const request = toInbound(
      jsonRequest({ value: [{ clientState: "s" }] }, { authorization: "HMAC AAAA" }),
    );
    expect(signing.verify(request, "s", now)).toBe(false);
  });

  test("an outgoing webhook gets a message; a notification 204", () => {
    const { sample } = providerAndSample("teams");
    const message = sample.sign(sample.events.message!(now), "a2V5", now);
    expect(acknowledge("teams", message)).toMatchObject({
      status: 200,
      contentType: "application/json",
      body: expect.stringContaining('"type":"message"'),
    });
    expect(acknowledge("teams", sample.events.created!(now))).toEqual({ status: 204 });
  });
});

test("Linear gets 200; a provider without a custom response gets 204", () => {
  for (const [id, status] of [
    ["linear", 200],
    ["github", 204],
    ["gitlab", 204],
    ["stripe", 204],
    ["shopify", 204],
    ["telegram", 204],
    ["standard", 204],
    ["generic", 204],
  ] as const) {
    const [make] = Object.values(providerAndSample(id).sample.events);
    expect([id, acknowledge(id, make!(now))]).toEqual([id, { status }]);
    expect(greet(id, toInbound(make!(now)), null)).toBeUndefined();
  }
});
