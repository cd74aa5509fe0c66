import { describe, expect, test } from "vitest";
import { createGatewayErrors } from "../../infra/local/gateway/gateway-responses.ts";
import { readResult } from "../../infra/local/gateway/proxy-response.ts";

const read = (value: unknown) => readResult(JSON.stringify(value));

describe("the result of a function", () => {
  test("reserved headers are renamed to x-amzn-Remapped-*", () => {
    const names = [
      "WWW-Authenticate",
      "Authorization",
      "Connection",
      "Content-MD5",
      "Date",
      "Server",
      "User-Agent",
    ];
    const response = read({
      statusCode: 401,
      headers: Object.fromEntries(names.map((name) => [name, "v"])),
    });
    for (const name of names) {
      expect(response?.headers).toContain(`x-amzn-Remapped-${name}`);
      if (name !== "WWW-Authenticate") expect(response?.headers).not.toContain(name);
    }
    expect(response?.headers).toContain("WWW-Authenticate");
  });

  test("a base64 body is decoded, and the default content type is JSON", () => {
    const response = read({
      statusCode: "200",
      body: Buffer.from([1, 2, 255]).toString("base64"),
      isBase64Encoded: true,
    });
    expect(response).toEqual({
      status: 200,
      headers: ["Content-Type", "application/json"],
      body: Buffer.from([1, 2, 255]),
    });
  });

  test("multiValueHeaders override headers, and all values are sent", () => {
    const response = read({
      statusCode: 200,
      headers: { "set-cookie": "c" },
      multiValueHeaders: { "Set-Cookie": ["a", "b"] },
    });
    expect(response?.headers.slice(0, 4)).toEqual(["Set-Cookie", "a", "Set-Cookie", "b"]);
  });

  test("a malformed result is undefined", () => {
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

describe("gateway responses", () => {
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

  test("use status, headers and body of the template's default response", () => {
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

  test("an oversized request returns 413 with the headers of the default response, the row's limit and its path", () => {
    const large = { limit: 1_048_576, instance: "/v1/tenants/demo/agents/hello" };
    const { status, headers, body } = errors(large, { requestId: "r2" });
    expect(status).toBe(413);
    expect(headers).toContain("X-A");
    expect(JSON.parse(String(body))).toMatchObject({ ...large, status: 413, requestId: "r2" });
  });

  test("without a response in the template use the gateway's status and message", () => {
    expect(errors("INTEGRATION_TIMEOUT", { requestId: "r" })).toMatchObject({
      status: 504,
      body: '{"message":"Endpoint request timed out"}',
    });
  });
});
