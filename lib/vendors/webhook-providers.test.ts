import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createKey,
  everyProvider,
  webhookNow as now,
  readPayload,
  toInbound,
  withHeader,
} from "../../test/harness/webhooks.ts";
import type { InboundRequest } from "../platform/http/inbound.ts";
import { findWebhookProvider } from "./registry/find-webhook-provider.ts";
import type { SampleRequest } from "./webhook-sample.ts";

const withBody = (request: InboundRequest, body: Uint8Array): InboundRequest => ({
  ...request,
  body,
});

const changedAt = (body: Uint8Array, at: number): Uint8Array => {
  const changed = Uint8Array.from(body);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};

test.each(["", "GitHub", "constructor", "__proto__"])("%j is no provider", (id) => {
  expect(findWebhookProvider(id)).toBeUndefined();
});

describe.each(everyProvider)("$id", ({ id, provider, sample }) => {
  const { header, coversBody = true, windowSeconds } = sample.signature;
  const { signing } = provider;
  const { key, secret } = createKey(sample);
  // Graph's notifications carry the secret in the body; the suite is about the signed kind.
  const makeRequest = id === "teams" ? sample.events.message! : Object.values(sample.events)[0]!;
  const signed = (request: SampleRequest = makeRequest(now), at = now): InboundRequest =>
    toInbound(sample.sign(request, key, at));
  const verify = (request: InboundRequest, withSecret = secret, at = now) =>
    signing.verify(request, withSecret, at);

  test("every sample, signed with the webhook's secret, is right and named as it is", () => {
    for (const [event, make] of Object.entries(sample.events)) {
      const request = signed(make(now));
      expect([event, signing.isSigned(request), verify(request)]).toEqual([event, true, true]);
      const isCheck = provider.handshake?.(request, readPayload(request), secret) !== undefined;
      if (!isCheck) expect(provider.describe(request, readPayload(request)).eventType).toBe(event);
    }
  });

  test("a secret that the service makes is of the provider's form and signs", () => {
    expect(signing.checkSecret(secret)).toBeUndefined();
    if (!signing.generate) return expect(signing.issuedBy).toBe("provider");
    const generated = signing.generate(randomBytes);
    expect(signing.checkSecret(generated)).toBeUndefined();
    const request = toInbound(sample.sign(makeRequest(now), generated, now));
    expect(verify(request, generated)).toBe(true);
  });

  test("a secret with a line break or white space around it, or an empty one, is refused", () => {
    for (const bad of ["", `${secret}\n`, ` ${secret}`]) {
      expect(signing.checkSecret(bad)).toMatch(/^must /);
    }
  });

  test("another secret, and the secret with one character changed, is wrong", () => {
    expect(verify(signed(), createKey(sample).secret)).toBe(false);
    const last = secret.at(-2) === "a" ? "b" : "a";
    expect(verify(signed(), `${secret.slice(0, -2)}${last}${secret.slice(-1)}`)).toBe(false);
    expect(verify(signed(), "")).toBe(false);
  });

  test("without its header a request is unsigned and wrong; with the header twice it is wrong", () => {
    const bare = toInbound(makeRequest(now));
    expect([signing.isSigned(bare), verify(bare)]).toEqual([false, false]);
    const request = signed();
    const [value = ""] = request.headers.get(header) ?? [];
    expect(value).not.toBe("");
    expect(verify(withHeader(request, header, [value, value]))).toBe(false);
    expect(signing.isSigned(withHeader(request, header, [value, value]))).toBe(id !== "teams");
  });

  test("a signature that is empty, cut, padded, of another case or another encoding is wrong", () => {
    const request = signed();
    const [value = ""] = request.headers.get(header) ?? [];
    const [prefix = "", digest = ""] = /^(.*[=, ](?=[0-9a-f+/=A-Z]{20}))?(.*)$/
      .exec(value)!
      .slice(1);
    const encodings = [
      Buffer.from(digest, "hex").toString("base64"),
      Buffer.from(digest, "base64").toString("hex"),
      "0".repeat(digest.length),
      "=",
    ].filter((text) => text !== digest);
    const forged = [
      "",
      " ",
      value.slice(0, -1),
      value.slice(1),
      `${value}0`,
      `${value}é`,
      ...encodings.map((text) => `${prefix ?? ""}${text}`),
      prefix ?? "",
    ];
    for (const text of forged) {
      expect([text, verify(withHeader(request, header, [text]))]).toEqual([text, false]);
    }
  });

  test.runIf(coversBody)("a body with any one bit changed, cut, or longer is wrong", () => {
    const request = signed();
    fc.assert(
      fc.property(fc.nat(request.body.byteLength - 1), (at) => {
        expect(verify(withBody(request, changedAt(request.body, at)))).toBe(false);
      }),
      { numRuns: 30 },
    );
    expect(verify(withBody(request, request.body.subarray(1)))).toBe(false);
    expect(verify(withBody(request, Buffer.concat([request.body, Buffer.from("\n")])))).toBe(false);
    expect(verify(withBody(request, new Uint8Array()))).toBe(false);
  });

  test.runIf(windowSeconds)("a delivery is refused once too old, and from the future", () => {
    const window = (windowSeconds ?? 0) * 1_000;
    expect(verify(signed(), secret, now + window)).toBe(true);
    expect(verify(signed(), secret, now + window + 1_000)).toBe(false);
    expect(verify(signed(), secret, now - window)).toBe(true);
    expect(verify(signed(), secret, now - window - 1_000)).toBe(false);
  });

  test("a body that is empty, of 4 MiB, or no UTF-8 is verified byte for byte", () => {
    const headers = { "content-type": "application/octet-stream" };
    for (const body of [new Uint8Array(), randomBytes(4 * 1_024 * 1_024), Buffer.from([0xff, 0])]) {
      expect(verify(signed({ headers, body }))).toBe(true);
    }
  });

  test("the signature of any other provider is wrong", () => {
    for (const other of everyProvider.filter((one) => one.id !== id)) {
      const theirs = createKey(other.sample);
      const request = toInbound(other.sample.sign(makeRequest(now), theirs.key, now));
      expect([other.id, verify(request)]).toEqual([other.id, false]);
    }
  });

  test("a delivery sent again has the same id, and another delivery another", () => {
    const request = signed();
    const facts = provider.describe(request, readPayload(request));
    expect(facts.deliveryId).toMatch(/^[\x21-\x7e]{1,200}$/);
    expect(provider.describe(request, readPayload(request))).toEqual(facts);
    const other = signed(makeRequest(now + 1_000));
    expect(provider.describe(other, readPayload(other)).deliveryId).not.toBe(facts.deliveryId);
  });
});
