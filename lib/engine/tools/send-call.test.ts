import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sendCall } from "./send-call.ts";

let server: Server;
let url: string;
let reached: Promise<ServerResponse>;

beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  reached = promise;
  server = createServer((_request, response) => resolve(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

const options = { allowPrivateAddresses: true };

describe("a tool's call", () => {
  test("has the whole time limit of its step", async () => {
    const { signal } = new AbortController();
    const calling = sendCall({ url, signal }, options);
    const response = await reached;
    vi.advanceTimersByTime(899_000);
    response.end("at last");
    expect((await calling).body.toString()).toBe("at last");
  });

  test("ends when its step does", async () => {
    const step = new AbortController();
    const calling = sendCall({ url, signal: step.signal }, options);
    await reached;
    const reason = new Error("the step is over");
    step.abort(reason);
    await expect(calling).rejects.toBe(reason);
  });

  test.each([
    ["without a step", {}],
    ["with a time of its own", { timeoutMs: 30_000, signal: new AbortController().signal }],
  ])("%s ends after 30 s", async (_, more) => {
    const calling = sendCall({ url, ...more }, options);
    await reached;
    vi.advanceTimersByTime(30_000);
    await expect(calling).rejects.toMatchObject({ name: "UpstreamError", timedOut: true });
  });
});
