import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proxyEvent } from "../../infra/local/gateway/event.ts";

const arrived = {
  method: "POST",
  path: "/things/a%2Fb",
  query: "",
  rawHeaders: [
    "Host",
    "h",
    "X-Two",
    "1",
    "x-two",
    "2",
    "Connection",
    "close",
    "Transfer-Encoding",
    "chunked",
  ],
  body: Buffer.from([0, 255, 1]),
  sourceIp: "127.0.0.1",
  requestId: "r",
  time: 5,
};
const match = { resource: "/things/{p1}", parameters: { p1: "a%2Fb" } };
const eventOf = (changes: Partial<typeof arrived> = {}) =>
  proxyEvent({ ...arrived, ...changes }, match, "live");

describe("the event of a function", () => {
  test("path and path parameters stay percent-encoded", () => {
    expect(eventOf()).toMatchObject({
      path: "/things/a%2Fb",
      pathParameters: { p1: "a%2Fb" },
      resource: "/things/{p1}",
    });
  });

  test("query values are decoded once, a plus is a space, and the last of several wins", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (name, first, second) => {
        const query = new URLSearchParams([
          [name, first],
          [name, second],
        ]).toString();
        const { queryStringParameters, multiValueQueryStringParameters } = eventOf({ query });
        expect(queryStringParameters?.[name]).toBe(second);
        expect(multiValueQueryStringParameters?.[name]).toEqual([first, second]);
      }),
    );
    expect(eventOf({ query: "PageToken.Skip=2&q=a+b%2B" }).queryStringParameters).toEqual({
      "PageToken.Skip": "2",
      q: "a b+",
    });
    expect(eventOf().queryStringParameters).toBeNull();
  });

  test("a header sent twice keeps both values, and hop-by-hop headers stay behind", () => {
    const { headers, multiValueHeaders } = eventOf();
    expect(headers["X-Two"]).toBe("2");
    expect(multiValueHeaders["X-Two"]).toEqual(["1", "2"]);
    expect(Object.keys(headers)).not.toContain("Connection");
    expect(Object.keys(headers)).not.toContain("Transfer-Encoding");
  });

  test("the client's address is added to the forwarded ones", () => {
    expect(
      eventOf({ rawHeaders: ["x-forwarded-for", "10.0.0.1"] }).headers["X-Forwarded-For"],
    ).toBe("10.0.0.1, 127.0.0.1");
  });

  test("every byte of a body arrives, as base64; no body is null", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
        const { body, isBase64Encoded } = eventOf({ body: Buffer.from(bytes) });
        expect(isBase64Encoded).toBe(true);
        expect(Buffer.from(body ?? "", "base64")).toEqual(Buffer.from(bytes));
      }),
    );
    expect(eventOf({ body: Buffer.alloc(0) })).toMatchObject({
      body: null,
      isBase64Encoded: false,
    });
  });
});
