import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proxyEvent } from "../../infra/local/gateway/proxy-event.ts";

const request = {
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
const buildEvent = (changes: Partial<typeof request> = {}) =>
  proxyEvent({ ...request, ...changes }, match, "live");

describe("the proxy event", () => {
  test("path and path parameters are percent-encoded as sent", () => {
    expect(buildEvent()).toMatchObject({
      path: "/things/a%2Fb",
      pathParameters: { p1: "a%2Fb" },
      resource: "/things/{p1}",
    });
  });

  test("query values are decoded once, + is a space, and the last of several values wins", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (name, first, second) => {
        const query = new URLSearchParams([
          [name, first],
          [name, second],
        ]).toString();
        const { queryStringParameters, multiValueQueryStringParameters } = buildEvent({ query });
        expect(queryStringParameters?.[name]).toBe(second);
        expect(multiValueQueryStringParameters?.[name]).toEqual([first, second]);
      }),
    );
    expect(buildEvent({ query: "PageToken.Skip=2&q=a+b%2B" }).queryStringParameters).toEqual({
      "PageToken.Skip": "2",
      q: "a b+",
    });
    expect(buildEvent().queryStringParameters).toBeNull();
  });

  test("a repeated header keeps all values, and hop-by-hop headers are removed", () => {
    const { headers, multiValueHeaders } = buildEvent();
    expect(headers["X-Two"]).toBe("2");
    expect(multiValueHeaders["X-Two"]).toEqual(["1", "2"]);
    expect(Object.keys(headers)).not.toContain("Connection");
    expect(Object.keys(headers)).not.toContain("Transfer-Encoding");
  });

  test("the client's address is appended to X-Forwarded-For", () => {
    expect(
      buildEvent({ rawHeaders: ["x-forwarded-for", "10.0.0.1"] }).headers["X-Forwarded-For"],
    ).toBe("10.0.0.1, 127.0.0.1");
  });

  test("a body is base64, and an empty one is null", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
        const { body, isBase64Encoded } = buildEvent({ body: Buffer.from(bytes) });
        expect(isBase64Encoded).toBe(true);
        expect(Buffer.from(body ?? "", "base64")).toEqual(Buffer.from(bytes));
      }),
    );
    expect(buildEvent({ body: Buffer.alloc(0) })).toMatchObject({
      body: null,
      isBase64Encoded: false,
    });
  });
});
