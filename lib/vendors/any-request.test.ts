import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyProvider, webhookNow as now } from "../../test/harness/webhooks.ts";

describe.each(everyProvider)("$id", ({ provider }) => {
  const { signing } = provider;

  test("no request throws, and its event type may be stored", () => {
    const value = fc.oneof(fc.string(), fc.constantFrom("v0=", "t=,v1=", "v1, v1a,", "HMAC "));
    const names = [
      ...provider.secretHeaders,
      "content-type",
      "webhook-id",
      "x-github-event",
      "x-shopify-topic",
    ];
    const headers = fc.dictionary(fc.constantFrom(...names), fc.array(value, { maxLength: 3 }));
    const json = fc.jsonValue({ maxDepth: 3 });
    const asText = fc.record({
      type: fc.oneof(json, fc.string({ minLength: 300, maxLength: 400 })),
      event: json,
      value: json,
      entry: json,
      payload: json,
      id: fc.oneof(json, fc.string({ minLength: 201, maxLength: 400 })),
    });
    fc.assert(
      fc.property(
        headers,
        fc.oneof(asText, json),
        fc.constantFrom<"GET" | "POST">("GET", "POST"),
        fc.option(value),
        (given, body, method, given2) => {
          const request = {
            method,
            headers: new Map(Object.entries(given)),
            query: {},
            body: Buffer.from(JSON.stringify(body)),
          };
          signing.isSigned(request);
          expect(signing.verify(request, "a secret", now)).toBe(false);
          signing.checkSecret(given2 ?? "");
          const { eventType, deliveryId } = provider.describe(request, body);
          expect(eventType?.length ?? 0).toBeLessThanOrEqual(256);
          expect(deliveryId ?? "x").toMatch(/^[\x21-\x7e]{1,200}$/);
          provider.handshake?.(request, body, given2);
          const status = provider.acknowledge?.(request, body).status ?? 204;
          expect([200, 204]).toContain(status);
        },
      ),
      { numRuns: 60 },
    );
  });
});
