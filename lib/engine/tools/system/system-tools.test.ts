import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { createToolRegistry } from "../registry.ts";

const processor = testProcessor();

const signal = new AbortController().signal;
const clock = () => Date.UTC(2026, 6, 1, 12, 30, 15, 250);
const registry = createToolRegistry({ allowPrivateAddresses: true });

const run = async (id: string, parameters: Record<string, string>): Promise<unknown> => {
  const tool = registry.resolve("system", id);
  if (!tool) throw new Error(`no tool ${id}`);
  return tool.run(parameters, { clock, signal, processor });
};

test("the registry has the five system tools, and no other", () => {
  const ids = registry
    .list()
    .get("system")
    ?.map(({ descriptor }) => descriptor.id);
  expect(ids).toEqual(["current_time", "calculate", "json_query", "http_get", "http_request"]);
  expect(registry.resolve("system", "nope")).toBeUndefined();
  expect(registry.resolve("nope", "calculate")).toBeUndefined();
  expect(registry.resolve("system/calculate", "")).toBeUndefined();
});

describe("current_time", () => {
  test.each([
    [{}, "2026-07-01T12:30:15.250Z"],
    [{ timezone: "UTC" }, "2026-07-01T12:30:15.250Z"],
    [{ timezone: "Europe/Berlin" }, "2026-07-01T14:30:15.250+02:00"],
    [{ timezone: "America/St_Johns" }, "2026-07-01T10:00:15.250-02:30"],
    [{ timezone: "Asia/Kathmandu" }, "2026-07-01T18:15:15.250+05:45"],
  ])("%j gives %s", async (parameters, expected) => {
    expect(await run("current_time", { ...parameters })).toBe(expected);
  });

  test("an unknown time zone is refused", async () => {
    await expect(run("current_time", { timezone: "Mars/Olympus" })).rejects.toThrow(
      "IANA time zone",
    );
  });
});

describe("calculate", () => {
  test.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["$sqrt(16) + $power(2, 10)", 1028],
    ["-7 % 3", -1],
  ])("%s is %d", async (expression, expected) => {
    expect(await run("calculate", { expression })).toBe(expected);
  });

  test.each([
    ["'a'", "must return a number"],
    ["nothing", "must return a number"],
    ["1 +", "Unexpected end of expression"],
    ["1 / 0", "out of range"],
    ["$eval('1')", "must not use $eval"],
  ])("%s is refused", async (expression, message) => {
    await expect(run("calculate", { expression })).rejects.toThrow(message);
  });
});

describe("json_query", () => {
  test.each([
    ['{"a": {"b": [1, 2]}}', "a.b[1]", 2],
    ['[{"n": 1}, {"n": 2}]', "$count($)", 2],
    ['[{"n": 1}, {"n": 2}]', "n", [1, 2]],
    ['"text"', "$uppercase($)", "TEXT"],
    ["{}", "a.b", null],
    ['{"sum": 1}', "$sum([1, 2])", 3],
  ])("%s, %s", async (json, query, expected) => {
    expect(await run("json_query", { json, query })).toEqual(expected);
  });

  test("a text that is not JSON, or nested too deeply, is refused", async () => {
    await expect(run("json_query", { json: "{", query: "a" })).rejects.toThrow("not valid JSON");
    const json = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    await expect(run("json_query", { json, query: "$" })).rejects.toThrow("nested deeper");
  });
});

describe("the http tools", () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url?.startsWith("/status/")) response.statusCode = Number(request.url.slice(8));
      if (request.url === "/text") response.end("plain");
      else
        response.end(
          JSON.stringify({
            method: request.method,
            token: request.headers["x-token"],
            body: Buffer.concat(chunks).toString(),
          }),
        );
    });
  });
  let base = "";
  const port = (address: AddressInfo | string | null) =>
    typeof address === "object" && address ? address.port : 0;
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    base = `http://127.0.0.1:${port(server.address())}`;
  });
  afterAll(() => server.close());

  test("http_get returns status, headers and the body as JSON or text", async () => {
    const headers = JSON.stringify({ "x-token": "t" });
    expect(await run("http_get", { url: `${base}/json`, headers })).toMatchObject({
      status: 200,
      headers: { connection: "close" },
      body: { method: "GET", token: "t" },
    });
    expect(await run("http_get", { url: `${base}/text` })).toMatchObject({ body: "plain" });
  });

  test("http_request sends method and body", async () => {
    const parameters = { method: "post", url: base, body: "hello" };
    expect(await run("http_request", parameters)).toMatchObject({
      body: { method: "POST", body: "hello" },
    });
  });

  test("a status of 400 and above is the server's failure", async () => {
    await expect(run("http_get", { url: `${base}/status/503` })).rejects.toMatchObject({
      name: "UpstreamError",
      upstream: base.slice("http://".length),
      upstreamStatus: 503,
      timedOut: false,
    });
  });

  test.each([
    ["a URL that is none", { url: "nope" }, "ToolError"],
    ["another protocol", { url: "ftp://example.com" }, "ToolError"],
    [
      "headers that are no object of strings",
      { url: "https://example.com", headers: '{"a": 1}' },
      "ToolError",
    ],
    ["a method that is none", { url: "https://example.com", method: "YELL" }, "ToolError"],
  ])("%s is refused", async (_name, parameters, name) => {
    await expect(run("http_request", { method: "GET", ...parameters })).rejects.toMatchObject({
      name,
    });
  });

  test("private addresses are refused unless the deployment allows them", async () => {
    const tool = createToolRegistry().resolve("system", "http_get");
    await expect(
      tool?.run({ url: "https://127.0.0.1/" }, { clock, signal, processor }),
    ).rejects.toThrow("not a public address");
  });

  test("a server that can't be reached is the upstream's failure", async () => {
    await expect(run("http_get", { url: "http://127.0.0.1:1/" })).rejects.toMatchObject({
      name: "UpstreamError",
      upstream: "127.0.0.1:1",
    });
  });
});
