import { expect, test } from "vitest";
import * as z from "zod";
import { ServiceBusyError } from "../platform/runtime/aws-retry.ts";
import type { McpCallOptions } from "./offer.ts";
import { mcpServer } from "./server.ts";

const noTasks = {
  read: async () => undefined,
  answer: async () => false,
  cancel: async () => false,
  watch: async () => undefined,
};

/** Calls a tool that reports "one" and "two", and "late" after its end; returns what the client is sent before the result. */
const callReporting = async (params: Record<string, unknown>): Promise<unknown[]> => {
  const sdk = await import("@modelcontextprotocol/server");
  const notified: unknown[] = [];
  let report: McpCallOptions["onProgress"];
  const server = mcpServer(sdk, {
    displayName: "Desk",
    findOffers: async () => ({
      offers: [
        {
          name: "talk",
          describe: async () => undefined,
          call: async (_, { onProgress }) => {
            report = onProgress;
            for (const message of ["one", "two"]) report?.(message);
            return { ok: true, value: null };
          },
        },
      ],
    }),
    tasks: noTasks,
    readFile: async () => undefined,
    signal: new AbortController().signal,
    notify: (message) => void notified.push(message),
    onUnavailable: () => {},
  });
  const [near, far] = sdk.InMemoryTransport.createLinkedPair();
  await server.connect(near);
  const received = new Promise<unknown>((resolve) => {
    far.onmessage = resolve;
  });
  await far.start();
  await far.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  expect(await received).toMatchObject({ id: 1, result: { content: expect.anything() } });
  report?.("late");
  await server.close();
  return notified;
};

test("a call with a progress token reports under it until its result, and counts the reports", async () => {
  const sent = await callReporting({ name: "talk", _meta: { progressToken: "t-1" } });
  const method = "notifications/progress";
  expect(sent).toEqual([
    { jsonrpc: "2.0", method, params: { progressToken: "t-1", progress: 1, message: "one" } },
    { jsonrpc: "2.0", method, params: { progressToken: "t-1", progress: 2, message: "two" } },
  ]);
});

test("a call without a progress token reports nothing", async () => {
  expect(await callReporting({ name: "talk" })).toEqual([]);
});

test.each([
  ["a busy service", new ServiceBusyError("busy"), 1],
  ["the code", new Error("wrong"), 0],
])(
  "a call that fails for %s is an internal error, and reported if the service was busy",
  async (_, failure, count) => {
    const sdk = await import("@modelcontextprotocol/server");
    const unavailable: unknown[] = [];
    const server = mcpServer(sdk, {
      displayName: "Desk",
      findOffers: () => Promise.reject(failure),
      tasks: noTasks,
      readFile: async () => undefined,
      signal: new AbortController().signal,
      onUnavailable: (error) => void unavailable.push(error),
    });
    const [near, far] = sdk.InMemoryTransport.createLinkedPair();
    await server.connect(near);
    const received = new Promise<unknown>((resolve) => {
      far.onmessage = resolve;
    });
    await far.start();
    await far.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "a" } });
    expect(await received).toMatchObject({ error: { code: -32603, message: "Internal error" } });
    expect(unavailable).toHaveLength(count);
    await server.close();
  },
);

/** Sends requests to a server with tools of these names; returns their results by id. */
const sendAll = async (names: readonly string[], requests: readonly object[]) => {
  const sdk = await import("@modelcontextprotocol/server");
  const server = mcpServer(sdk, {
    displayName: "Billing desk",
    findOffers: async () => ({
      offers: names.map((name) => ({
        name,
        describe: async () => ({
          title: `The ${name}`,
          description: name,
          inputSchema: {},
          outputSchema: undefined,
          isReadOnly: true,
        }),
        call: async () => ({ ok: true, value: null }),
      })),
    }),
    tasks: noTasks,
    readFile: async () => undefined,
    signal: new AbortController().signal,
    onUnavailable: () => {},
  });
  const [near, far] = sdk.InMemoryTransport.createLinkedPair();
  await server.connect(near);
  await far.start();
  const results: unknown[] = [];
  for (const [id, request] of requests.entries()) {
    const received = new Promise<unknown>((resolve) => {
      far.onmessage = resolve;
    });
    await far.send({ jsonrpc: "2.0", id, method: "tools/list", ...request });
    results.push(await received);
  }
  await server.close();
  return results;
};

const Page = z.object({
  result: z.object({
    tools: z.array(z.object({ name: z.string(), title: z.string() })),
    nextCursor: z.string().optional(),
  }),
});

test("a list of more than 100 tools has pages, of which the cursor names the next, and refuses other cursors", async () => {
  const names = Array.from({ length: 201 }, (_, at) => `tool_${at}`);
  const ask = (cursor: string) => ({ params: { cursor } });
  const [first, second, third, ...refused] = await sendAll(names, [
    {},
    ask("100"),
    ask("200"),
    ...["x", "-1", "1.5"].map(ask),
  ]);
  const pages = [first, second, third].map((page) => Page.parse(page).result);
  expect(pages.map(({ tools }) => tools.length)).toEqual([100, 100, 1]);
  expect(pages.flatMap(({ tools }) => tools.map(({ name }) => name))).toEqual(names);
  expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(["100", "200", undefined]);
  for (const error of refused) expect(error).toMatchObject({ error: { code: -32_602 } });
  const [whole] = await sendAll(names.slice(0, 100), [{}]);
  expect(Page.parse(whole).result.nextCursor).toBeUndefined();
});
