import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createKey,
  everyProvider,
  webhookNow as now,
  toInbound,
} from "../../../test/harness/webhooks.ts";
import { safeHeaders } from "./safe-headers.ts";

const clean = (headers: Readonly<Record<string, readonly string[]>>, secret: string[] = []) =>
  safeHeaders(new Map(Object.entries(headers)), secret);

const credentials = [
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "api-key",
  "apikey",
  "x-auth-token",
  "x-access-token",
  "x-csrf-token",
  "x-goog-channel-token",
  "ocp-apim-subscription-key",
  "x-amz-security-token",
  "x-amzn-trace-id",
  "x-amzn-oidc-accesstoken",
  "x-forwarded-for",
  "x-forwarded-uri",
  "x-original-url",
  "referer",
  "forwarded",
  "x-hub-signature-256",
  "stripe-signature",
  "webhook-signature",
  "x-shopify-hmac-sha256",
  "x-gitlab-token",
  "x-telegram-bot-api-secret-token",
  "x-twilio-signature",
  "paypal-transmission-sig",
  "x-webhook-secret",
];

const harmless = [
  "content-type",
  "user-agent",
  "x-github-event",
  "x-github-delivery",
  "x-gitlab-event",
  "x-shopify-topic",
  "linear-delivery",
  "x-slack-retry-num",
  "webhook-id",
  "idempotency-key",
  "x-request-id",
];

describe("headers", () => {
  test("of the event are kept, in lower case, with repeated values joined", () => {
    for (const name of harmless) expect(clean({ [name]: ["v"] })).toEqual({ [name]: "v" });
    expect(clean({ "X-Tag": ["a", "b"] })).toEqual({ "x-tag": "a, b" });
  });

  test("with credentials, signatures or proxy data are removed, in any case", () => {
    for (const name of credentials) {
      expect([name, clean({ [name]: ["v"], [name.toUpperCase()]: ["v"] })]).toEqual([name, {}]);
    }
  });

  test("that the provider declares secret are removed", () => {
    expect(clean({ "x-odd": ["v"], "x-even": ["v"] }, ["x-odd"])).toEqual({ "x-even": "v" });
  });

  test("are bounded in number and size", () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, ["v"]]));
    expect(Object.keys(clean(many))).toHaveLength(64);
    expect(clean({ "x-long": ["v".repeat(2_049)], "x-short": ["v"] })).toEqual({ "x-short": "v" });
    const large = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`x-${at}`, ["v".repeat(2_000)]]),
    );
    expect(JSON.stringify(clean(large)).length).toBeLessThan(17_000);
  });
});

test("that are kept are always short, lower-case and without credentials", () => {
  const name = fc.oneof(fc.string(), fc.constantFrom(...credentials, ...harmless, "__proto__"));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.array(fc.string()))), (entries) => {
      const kept = safeHeaders(new Map(entries), ["x-odd"]);
      expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
      for (const one of Object.keys(kept)) {
        expect(one).toBe(one.toLowerCase());
        expect(credentials).not.toContain(one);
      }
    }),
  );
});

test.each(everyProvider)("subscribers see neither signature nor secret of $id", (vendor) => {
  const { provider, sample } = vendor;
  const { key, secret } = createKey(sample);
  const signatures = Object.values(sample.events).flatMap((makeRequest) => {
    const { headers } = toInbound(sample.sign(makeRequest(now), key, now));
    const shown = JSON.stringify(safeHeaders(headers, provider.secretHeaders));
    expect(shown).not.toContain(secret);
    expect(shown).toContain("content-type");
    return (headers.get(sample.signature.header) ?? []).map((signature) => ({ signature, shown }));
  });
  expect(signatures).not.toEqual([]);
  for (const { signature, shown } of signatures) expect(shown).not.toContain(signature);
});
