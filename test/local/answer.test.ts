import { describe, expect, test } from "vitest";
import { readResult } from "../../infra/local/gateway/answer.ts";
import { createGatewayErrors } from "../../infra/local/gateway/gateway-responses.ts";

const read = (value: unknown) => readResult(JSON.stringify(value));

describe("what a function returned", () => {
  test("headers of the gateway's own reach the client under another name", () => {
    const names = [
      "WWW-Authenticate",
      "Authorization",
      "Connection",
      "Content-MD5",
      "Date",
      "Server",
      "User-Agent",
    ];
    const answer = read({
      statusCode: 401,
      headers: Object.fromEntries(names.map((name) => [name, "v"])),
    });
    for (const name of names) {
      expect(answer?.headers).toContain(`x-amzn-Remapped-${name}`);
      if (name !== "WWW-Authenticate") expect(answer?.headers).not.toContain(name);
    }
    expect(answer?.headers).toContain("WWW-Authenticate");
  });

  test("a body in base64 is decoded, and JSON is the content type when none is said", () => {
    const answer = read({
      statusCode: "200",
      body: Buffer.from([1, 2, 255]).toString("base64"),
      isBase64Encoded: true,
    });
    expect(answer).toEqual({
      status: 200,
      headers: ["Content-Type", "application/json"],
      body: Buffer.from([1, 2, 255]),
    });
  });

  test("several values of a header are all sent, and win over the single one", () => {
    const answer = read({
      statusCode: 200,
      headers: { "set-cookie": "c" },
      multiValueHeaders: { "Set-Cookie": ["a", "b"] },
    });
    expect(answer?.headers.slice(0, 4)).toEqual(["Set-Cookie", "a", "Set-Cookie", "b"]);
  });

  test("what is no answer of a proxy integration is refused", () => {
    for (const wrong of [
      null,
      "text",
      {},
      { statusCode: 99 },
      { statusCode: 200, body: { a: 1 } },
      { statusCode: 200, headers: { a: {} } },
    ]) {
      expect(read(wrong)).toBeUndefined();
    }
  });
});

describe("errors of the gateway's own", () => {
  const errors = createGatewayErrors({
    DEFAULT_4XX: {
      statusCode: 400,
      responseParameters: {
        "gatewayresponse.header.X-A": "'fixed'",
        "gatewayresponse.header.X-R": "context.requestId",
      },
      responseTemplates: {
        "application/json": '{"id":"$context.requestId","m":$context.error.messageString}',
      },
    },
  });

  test("take status, headers and body from the template's default response", () => {
    expect(errors("URI_TOO_LONG", { requestId: "r1" })).toEqual({
      status: 400,
      headers: [
        "Content-Type",
        "application/json",
        "x-amzn-RequestId",
        "r1",
        "X-A",
        "fixed",
        "X-R",
        "r1",
      ],
      body: '{"id":"r1","m":"URI Too Long"}',
    });
  });

  test("a request that is too large is 413 whatever the default is, with its headers", () => {
    const { status, headers, body } = errors("REQUEST_TOO_LARGE", { requestId: "r2" });
    expect(status).toBe(413);
    expect(headers).toContain("X-A");
    expect(JSON.parse(String(body))).toMatchObject({
      status: 413,
      requestId: "r2",
      limit: 10_485_760,
    });
  });

  test("without one of the template's have the gateway's own status and words", () => {
    expect(errors("INTEGRATION_TIMEOUT", { requestId: "r" })).toMatchObject({
      status: 504,
      body: '{"message":"Endpoint request timed out"}',
    });
  });
});
