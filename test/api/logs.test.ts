import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test, vi } from "vitest";
import * as z from "zod";
import { call, newOrganization, type TestResponse } from "../harness/api.ts";

const Line = z.looseObject({
  level: z.string(),
  requestId: z.string().optional(),
  message: z.string(),
});

const greeting = {
  flow: { steps: [{ id: "out", type: "Output", value: "Hello" }], edges: [] },
};

/** The worker loads its bundle for its first message. */
const workerStart = { timeout: 15_000 };

/** Returns the log lines of all functions that name a request. */
const readLogLines = (requestId: string) => {
  const logs = join(inject("stack").dataDir, "logs");
  return readdirSync(logs)
    .filter((file) => file.startsWith("Wharf-"))
    .flatMap((file) => readFileSync(join(logs, file), "utf8").split("\n"))
    .filter((line) => line.includes(requestId))
    .map((line) => ({ bytes: Buffer.byteLength(line), ...Line.parse(JSON.parse(line)) }));
};

test("a request writes one line of JSON under 350 bytes, whatever its response", {
  tags: "nightly",
}, async () => {
  const own = await newOrganization();
  await own.deployAgent("greeter", greeting);
  const requests: TestResponse[] = [
    await own.try("GET", "/agents/greeter"),
    await own.try("GET", "/agents/nobody"),
    await own.try("POST", "/agents", { body: { displayName: 1 } }),
    await own.try("POST", "/agents/greeter:execute", { body: {} }),
    await call("GET", "/health"),
    await call("GET", "/v1/tenants"),
  ];
  expect(requests.map(({ status }) => status)).toEqual([200, 404, 400, 200, 200, 401]);
  for (const { status, headers } of requests) {
    const requestId = headers.get("x-request-id") ?? "";
    expect(requestId).not.toBe("");
    // The local stack writes a function's lines a moment after its response.
    const lines = await vi.waitFor(() => {
      const found = readLogLines(requestId);
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    expect(lines.map(({ level }) => level)).toEqual(["INFO"]);
    expect(lines[0]).toMatchObject({ requestId, status });
    expect(lines[0]?.bytes).toBeLessThan(350);
  }
});

test("a worker logs the id of the request that sent its message", { tags: "nightly" }, async () => {
  const own = await newOrganization();
  await own.deployAgent("greeter", greeting);
  const { status, headers } = await call("POST", `${own.base}/agents/greeter:execute`, {
    token: own.token,
    headers: { prefer: "respond-async" },
    body: {},
  });
  expect(status).toBe(202);
  const requestId = headers.get("x-request-id") ?? "none";
  const messages = await vi.waitFor(() => {
    const found = readLogLines(requestId).map(({ message }) => message);
    expect(found.length).toBeGreaterThan(1);
    return found;
  }, workerStart);
  expect(messages.toSorted()).toEqual(["execute-agent completed", "run-execution completed"]);
});
