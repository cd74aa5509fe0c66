import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type FixtureStack, removeFolders, startFixture } from "./fixture-stack.ts";

let fixture: FixtureStack;
beforeAll(async () => {
  fixture = await startFixture();
}, 30_000);
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
  test("reach the function with path and parameters as sent", async () => {
    const { event } = await echo("/echo/a%2Fb%3Ac?x=1%202&x=3");
    expect(event).toMatchObject({
      resource: "/echo/{p1}",
      path: "/echo/a%2Fb%3Ac",
      pathParameters: { p1: "a%2Fb%3Ac" },
      queryStringParameters: { x: "3" },
      multiValueQueryStringParameters: { x: ["1 2", "3"] },
    });
  });

  test("every method without one of its own goes to the any-method", async () => {
    const { event } = await echo("/rest/x/y", { method: "PATCH", body: "z" });
    expect(event).toMatchObject({
      httpMethod: "PATCH",
      pathParameters: { proxy: "x/y" },
      isBase64Encoded: true,
    });
    expect((await fetch(`${fixture.baseUrl}/echo/1`, { method: "HEAD" })).status).toBe(200);
  });

  test("a function's environment is the template's and the local services', and nothing of this process", async () => {
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

  test("a method that a resource lacks has the template's gateway response", async () => {
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

  test("a body of more than 10 MB, and one that makes an event of more than 6 MB, are 413", async () => {
    for (const megabytes of [11, 5]) {
      const body = new Uint8Array(megabytes * 1_048_576);
      const response = await fetch(`${fixture.baseUrl}/echo/1`, { method: "POST", body });
      expect(response.status).toBe(413);
    }
  });

  test("a body of 4 MiB passes byte for byte", async () => {
    const body = Uint8Array.from({ length: 4 * 1_048_576 }, (_, index) => index % 251);
    const { event } = await echo("/echo/1", { method: "POST", body });
    expect(Buffer.from(event.body ?? "", "base64").equals(body)).toBe(true);
  });

  test("an address of more than 10,240 bytes is 414", async () => {
    expect((await fetch(`${fixture.baseUrl}/echo/1?q=${"x".repeat(10_240)}`)).status).toBe(414);
  });

  test("what is no HTTP is refused and harms nobody", async () => {
    const socket = connect(fixture.stack.port, "127.0.0.1");
    socket.end("nonsense\r\n\r\n");
    const chunks = await Array.fromAsync(socket);
    expect(String(chunks)).toContain("400");
    await echo("/echo/1");
  });
});

describe("failing functions", () => {
  test.each<[string, unknown]>([
    ["a thrown error", { fault: "deliberate" }],
    ["a thread that ends", { exit: true }],
  ])("%s has the template's 5xx, and the next call works", async (_, body) => {
    const response = await fixture.post("/slowest", body);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ title: "Internal error" });
    expect(await (await fixture.post("/slowest", {})).text()).toBe("done");
  });

  test("an answer that is none, and a bundle that cannot be loaded, have it too", async () => {
    expect((await fixture.post("/shape", { nonsense: true })).status).toBe(500);
    expect((await fixture.post("/broken", {})).status).toBe(500);
    expect(fixture.told.join("\n")).toContain("cannot be loaded");
  });

  test("a function that waits beyond its timeout is cut, even in an endless loop, and the next call works", async () => {
    const [waiting, looping] = await Promise.all([
      fixture.post("/slow", { wait: 5_000 }),
      fixture.post("/slow", { loop: true }),
    ]);
    expect([waiting.status, looping.status]).toEqual([500, 500]);
    expect(await (await fixture.post("/slow", {})).text()).toBe("done");
  });

  test("what functions write goes to their logs, and their errors to the user", async () => {
    await fixture.post("/slowest", { log: "a line of mine" });
    await fixture.post("/slowest", { fault: "seen by the user" });
    await expect
      .poll(() => readFileSync(join(fixture.directory, "data/logs/slowest.log"), "utf8"))
      .toMatch(/a line of mine[\s\S]*seen by the user/);
    expect(fixture.told.join("\n")).toContain("seen by the user");
  });

  test("many calls run at once", async () => {
    const started = Date.now();
    await Promise.all(Array.from({ length: 50 }, () => fixture.post("/slowest", { wait: 300 })));
    expect(Date.now() - started).toBeLessThan(3_000);
  });
});
