import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type FixtureStack, removeFolders, startFixture } from "./fixture-stack.ts";

let fixture: FixtureStack;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(removeFolders);
afterAll(() => fixture.stack.close());

const Echo = z.object({
  event: z.looseObject({ path: z.string(), body: z.string().nullable() }),
  environment: z.record(z.string(), z.string()),
  requestId: z.string(),
  left: z.number(),
});
const echo = async (path: string, init?: RequestInit) =>
  Echo.parse(await (await fetch(`${fixture.baseUrl}${path}`, init)).json());

describe("requests", () => {
  test("reach the function with the path and parameters percent-encoded as sent", async () => {
    const { event } = await echo("/echo/a%2Fb%3Ac?x=1%202&x=3");
    expect(event).toMatchObject({
      resource: "/echo/{p1}",
      path: "/echo/a%2Fb%3Ac",
      pathParameters: { p1: "a%2Fb%3Ac" },
      queryStringParameters: { x: "3" },
      multiValueQueryStringParameters: { x: ["1 2", "3"] },
    });
  });

  test("a method without its own integration goes to the any-method of the resource", async () => {
    const { event } = await echo("/rest/x/y", { method: "PATCH", body: "z" });
    expect(event).toMatchObject({
      httpMethod: "PATCH",
      pathParameters: { proxy: "x/y" },
      isBase64Encoded: true,
    });
    expect((await fetch(`${fixture.baseUrl}/echo/1`, { method: "HEAD" })).status).toBe(200);
  });

  test("a function's environment has the variables of the template and the local services, and none of this process", async () => {
    process.env.WHARF_TEST_LEAK = "leaked";
    const { environment } = await echo("/echo/1");
    expect(environment).toMatchObject({
      OWN: "echo",
      AWS_ACCESS_KEY_ID: "echo",
      AWS_REGION: "us-east-1",
    });
    expect(environment).not.toHaveProperty("WHARF_TEST_LEAK");
    expect(environment).not.toHaveProperty("HOME");
  });

  test("a method that the resource does not have returns the template's gateway response", async () => {
    const response = await fetch(`${fixture.baseUrl}/things:act`);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("x-ratelimit-limit")).toBe("60");
    expect(await response.json()).toEqual({
      title: "No such route",
      requestId: response.headers.get("x-request-id"),
      resource: "/things:act",
    });
  });

  test("a function that the gateway's role may not invoke returns the template's 500", async () => {
    const response = await fixture.post("/unreachable", {});
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ title: "Internal error" });
    expect((await fixture.post("/things:act", {})).status).toBe(200);
  });

  test("a function at its reserved concurrency returns the template's response, then accepts calls again", {
    tags: "nightly",
  }, async () => {
    const first = fixture.post("/capped", { untilCount: 2 });
    const throttled = async () => (await fixture.post("/capped", {})).status;
    await expect.poll(throttled).toBe(503);
    expect((await first).status).toBe(500);
    await expect.poll(throttled).toBe(200);
    const streamed = await fixture.post("/closed", {});
    expect(streamed.status).toBe(503);
    expect(await streamed.json()).toMatchObject({ title: "Too busy" });
  });

  test("a body over 10 MB, or with an event over 6 MB, returns 413", {
    tags: "nightly",
  }, async () => {
    for (const megabytes of [11, 5]) {
      const body = new Uint8Array(megabytes * 1_048_576);
      const response = await fetch(`${fixture.baseUrl}/echo/1`, { method: "POST", body });
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ instance: "/echo/1" });
    }
  });

  test.each([
    ["with Content-Length", `Content-Length: ${12 * 1_048_576}`, (piece: Buffer) => [piece]],
    [
      "in chunks",
      "Transfer-Encoding: chunked",
      (piece: Buffer) => [`${piece.length.toString(16)}\r\n`, piece, "\r\n"],
    ],
  ])(
    "a client that sends 12 MiB %s before it reads gets 413, and the connection stays open",
    { tags: "nightly" },
    async (_, header, frame) => {
      const socket = connect(fixture.stack.port, "127.0.0.1");
      socket.write(`POST /echo/1 HTTP/1.1\r\nHost: local\r\n${header}\r\n\r\n`);
      for (let sent = 0; sent < 12; sent += 1) {
        for (const part of frame(Buffer.alloc(1_048_576))) {
          if (!socket.write(part)) await once(socket, "drain");
        }
      }
      if (header.startsWith("Transfer")) socket.write("0\r\n\r\n");
      socket.write("GET /nowhere HTTP/1.1\r\nHost: local\r\nConnection: close\r\n\r\n");
      const received = String(Buffer.concat(await socket.toArray()));
      expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 404"]);
      expect(received).toContain("/problems/payload-too-large");
    },
  );

  test("a body of 4 MiB reaches the function unchanged", { tags: "nightly" }, async () => {
    const body = Uint8Array.from({ length: 4 * 1_048_576 }, (_, index) => index % 251);
    const { event } = await echo("/echo/1", { method: "POST", body });
    expect(Buffer.from(event.body ?? "", "base64").equals(body)).toBe(true);
  });

  test("a URI over 10,240 bytes returns 414", async () => {
    expect((await fetch(`${fixture.baseUrl}/echo/1?q=${"x".repeat(10_240)}`)).status).toBe(414);
  });

  test("malformed HTTP returns 400 and does not affect the next request", async () => {
    const socket = connect(fixture.stack.port, "127.0.0.1");
    socket.end("nonsense\r\n\r\n");
    const chunks = await Array.fromAsync(socket);
    expect(String(chunks)).toContain("400");
    await echo("/echo/1");
  });
});

describe("functions", () => {
  test.each<[string, unknown]>([
    ["a thrown error", { fault: "deliberate" }],
    ["a thread that exits", { exit: true }],
  ])("%s returns the template's 5xx, and the next request succeeds", async (_, body) => {
    const response = await fixture.post("/slowest", body);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ title: "Internal error" });
    expect(await (await fixture.post("/slowest", {})).text()).toBe("done");
  });

  test("a malformed result, or a bundle that cannot be loaded, returns 500", async () => {
    expect((await fixture.post("/shape", { nonsense: true })).status).toBe(500);
    expect((await fixture.post("/broken", {})).status).toBe(500);
    expect(fixture.printed.join("\n")).toContain("cannot be loaded");
  });

  test("a function is stopped at its timeout, even in an endless loop, and the next request succeeds", {
    tags: "nightly",
  }, async () => {
    const [waiting, looping] = await Promise.all([
      fixture.post("/slow", { wait: 60_000 }),
      fixture.post("/slow", { loop: true }),
    ]);
    expect([waiting.status, looping.status]).toEqual([500, 500]);
    await expect.poll(async () => (await fixture.post("/slow", {})).text()).toBe("done");
  });

  test("output of functions is written to their logs, and errors are printed", async () => {
    await fixture.post("/slowest", { log: "a line of mine" });
    await fixture.post("/slowest", { fault: "seen by the user" });
    await expect
      .poll(() => readFileSync(join(fixture.directory, "data/logs/slowest.log"), "utf8"))
      .toMatch(/a line of mine[\s\S]*seen by the user/);
    expect(fixture.printed.join("\n")).toContain("seen by the user");
  });

  test("50 requests to one function run concurrently", { tags: "nightly" }, async () => {
    // Each invocation waits for the fiftieth: with a lower concurrency none would complete.
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => fixture.post("/slowest", { untilCount: 50 })),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });
});
