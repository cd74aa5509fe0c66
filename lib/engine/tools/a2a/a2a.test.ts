import { TaskState } from "@a2a-js/sdk";
import { afterEach, describe, expect, test } from "vitest";
import {
  type A2aBehaviour,
  type A2aServer,
  buildPart,
  startA2aServer,
} from "../../../../test/harness/a2a-server.ts";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { ToolError } from "../tool.ts";
import { a2aIntegration } from "./index.ts";

const processor = testProcessor();
const never = new AbortController().signal;
const secret = "the-secret-token";
const outgoing = { allowPrivateAddresses: true };

let server: A2aServer;
afterEach(() => server.close());

const start = async (behaviour: A2aBehaviour = {}) => {
  server = await startA2aServer(behaviour);
};

/** A clock that runs a hundred times as fast: a wait of seconds is over after milliseconds. */
const begun = Date.now();
const fastClock = () => begun + (Date.now() - begun) * 100;

type Config = { parameters?: object; auth?: Record<string, string> };

const list = ({ parameters = {}, auth = {} }: Config = {}, options: object = outgoing) =>
  a2aIntegration.tools(
    { parameters: { url: server.url, ...parameters }, auth },
    { outgoing: options, clock: Date.now, signal: never, processor },
  );

const run = async (
  name: string,
  given: Record<string, string>,
  {
    signal = never,
    clock = Date.now,
    ...config
  }: Config & { signal?: AbortSignal; clock?: () => number } = {},
) => {
  const tool = (await list(config)).find(({ descriptor }) => descriptor.id === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.run(given, { clock, signal, processor });
};

const catchFailure = async (work: Promise<unknown>): Promise<unknown> => {
  const [outcome] = await Promise.allSettled([work]);
  return outcome.status === "rejected" ? outcome.reason : undefined;
};

const { TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_INPUT_REQUIRED, TASK_STATE_REJECTED } =
  TaskState;

describe.each(["JSONRPC", "HTTP+JSON"] as const)(
  "an agent of the official package, by %s",
  (binding) => {
    test("is a tool with its description and skills, and another one that reads tasks", async () => {
      await start({ binding });
      const [send, read] = await list();
      expect(send?.descriptor).toMatchObject({
        id: "send_message",
        displayName: "Travel",
        description: expect.stringContaining("- Rail: Finds trains."),
        actionType: "ReadWrite",
        resultType: "Json",
      });
      expect(send?.descriptor.parametersMetadata.map(({ name }) => name)).toEqual([
        "message",
        "data",
        "contextId",
        "taskId",
      ]);
      expect(read?.descriptor).toMatchObject({ id: "get_task", actionType: "ReadOnly" });
    });

    test("completes a task, with text, JSON, or several parts", { tags: "nightly" }, async () => {
      await start({
        binding,
        answer: ({ parts }) => ({
          state: TASK_STATE_COMPLETED,
          parts:
            parts[0]?.content?.value === "both" ? [buildPart("a"), buildPart({ b: 1 })] : parts,
        }),
      });
      expect(await run("send_message", { message: "Oslo" })).toMatchObject({
        state: "completed",
        taskId: expect.stringMatching(/./),
        contextId: expect.stringMatching(/./),
        output: "Oslo",
      });
      expect(await run("send_message", { data: '{"city":"Oslo"}' })).toMatchObject({
        output: { city: "Oslo" },
      });
      expect(await run("send_message", { message: "both" })).toMatchObject({
        output: [{ text: "a" }, { data: { b: 1 } }],
      });
    });

    test("responds with a message in place of a task", async () => {
      await start({ binding, answer: () => ({ isMessage: true, parts: [buildPart("Hello")] }) });
      expect(await run("send_message", { message: "Hi" })).toMatchObject({
        state: "completed",
        taskId: null,
        output: "Hello",
      });
    });

    test("is polled until its task ends, and not longer than the config allows", {
      tags: "nightly",
    }, async () => {
      await start({
        binding,
        answer: () => ({ state: TASK_STATE_COMPLETED, parts: [buildPart("late")], afterMs: 400 }),
      });
      const reading = () =>
        server.requests.filter(({ method, body }) =>
          binding === "JSONRPC" ? JSON.stringify(body)?.includes("GetTask") : method === "GET",
        );
      expect(await run("send_message", { message: "x" })).toMatchObject({ output: "late" });
      expect(reading().length).toBeGreaterThanOrEqual(1);
      const late = await run("send_message", { message: "x" }, { clock: fastClock });
      expect(late).toMatchObject({
        state: "working",
        note: expect.stringContaining("no result yet"),
      });
      const { taskId } = late as { taskId: string };
      expect(await run("get_task", { taskId })).toMatchObject({
        state: "completed",
        output: "late",
      });
    });

    test("that asks for input is not taken for done, and is answered by another message", {
      tags: "nightly",
    }, async () => {
      await start({
        binding,
        answer: (_, isContinued) =>
          isContinued
            ? { state: TASK_STATE_COMPLETED, parts: [buildPart("Booked.")] }
            : { state: TASK_STATE_INPUT_REQUIRED, note: "From where?" },
      });
      const asked = await run("send_message", { message: "A train to Oslo" });
      expect(asked).toMatchObject({
        state: "input-required",
        message: "From where?",
        note: expect.stringContaining("not done"),
      });
      expect(asked).not.toHaveProperty("output");
      const { taskId, contextId } = asked as { taskId: string; contextId: string };
      expect(await run("send_message", { message: "Bergen", taskId, contextId })).toMatchObject({
        taskId,
        state: "completed",
        output: "Booked.",
      });
    });

    test.each([
      ["failed at", TASK_STATE_FAILED],
      ["rejected", TASK_STATE_REJECTED],
    ])(
      "that %s a task fails the call with its reason",
      { tags: "nightly" },
      async (verb, state) => {
        await start({ binding, answer: () => ({ state, note: "No trains." }) });
        const failure = await catchFailure(run("send_message", { message: "x" }));
        expect(failure).toBeInstanceOf(ToolError);
        expect(String(failure)).toMatch(new RegExp(`The agent ${verb} the task .+: No trains.`));
      },
    );

    test("has no task with an unknown id", async () => {
      await start({ binding });
      const failure = await catchFailure(run("get_task", { taskId: "none/../x" }));
      expect(failure).toBeInstanceOf(ToolError);
    });

    test("gets the version and the credentials with every call", async () => {
      await start({ binding });
      await run("send_message", { message: "x" }, { auth: { token: secret } });
      expect(server.requests.length).toBeGreaterThanOrEqual(2);
      for (const { headers } of server.requests) {
        expect(headers.authorization).toBe(`Bearer ${secret}`);
        expect(headers["a2a-version"]).toBe("1.0");
      }
    });
  },
);

describe("a server", () => {
  test.each<[string, A2aBehaviour, RegExp]>([
    ["without a card", { fault: () => ({ status: 404 }) }, /status 404/],
    ["with other JSON", { card: () => ({ name: "x" }) }, /has no agent card/],
    ["with a page", { fault: () => ({ status: 200, body: "<html>" }) }, /other than JSON/],
    [
      "with JSON nested deeply",
      { fault: () => ({ status: 200, body: `${"[".repeat(5_000)}${"]".repeat(5_000)}` }) },
      /nested too deeply|other than JSON/,
    ],
    [
      "with a huge card",
      { fault: () => ({ status: 200, body: JSON.stringify("x".repeat(600_000)) }) },
      /larger|too large|more than/,
    ],
    [
      "of an earlier version",
      {
        card: (card) => ({
          ...card,
          supportedInterfaces: [
            { url: "http://127.0.0.1/", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
          ],
        }),
      },
      /no interface of A2A 1.0.+It has: JSONRPC 0.3/,
    ],
    [
      "of gRPC alone",
      {
        card: (card) => ({
          ...card,
          supportedInterfaces: [
            { url: "127.0.0.1:1", protocolBinding: "GRPC", protocolVersion: "1.0" },
          ],
        }),
      },
      /It has: GRPC 1.0/,
    ],
  ])("%s offers no tools, and the error says why", async (_, behaviour, detail) => {
    await start(behaviour);
    const failure = await catchFailure(list({ auth: { token: secret } }));
    expect(String(failure)).toMatch(detail);
    expect(String(failure)).not.toContain(secret);
  });

  test("with another origin in its card gets no credentials there", async () => {
    const elsewhere = "http://localhost:9/agent";
    await start({
      card: (card) => ({
        ...card,
        supportedInterfaces: [
          { url: elsewhere, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        ],
      }),
    });
    expect(String(await catchFailure(list({ auth: { token: secret } })))).toContain("localhost:9");
    expect(await list()).toHaveLength(2);
  });

  test("at a private address is not called unless the deployment allows it", async () => {
    await start();
    expect(await catchFailure(list({}, {}))).toBeInstanceOf(ToolError);
    expect(server.requests).toEqual([]);
  });

  test.each<[string, string, RegExp]>([
    [
      "an error",
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"very secret"}}',
      /error -32000/,
    ],
    ["no task", '{"jsonrpc":"2.0","id":1,"result":{}}', /did not respond as an A2A agent/],
    [
      "an unknown state",
      '{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","status":{"state":"TASK_STATE_DREAMING"}}}}',
      /unknown state/,
    ],
  ])("that responds with %s fails the call", async (_, body, detail) => {
    await start({ fault: ({ method }) => (method === "POST" ? { status: 200, body } : undefined) });
    const failure = await catchFailure(run("send_message", { message: "x" }));
    expect(failure).toBeInstanceOf(UpstreamError);
    expect(String(failure)).toMatch(detail);
    expect(String(failure)).not.toContain("very secret");
  });

  test("that hangs is left when the step is over", async () => {
    await start({ fault: ({ method }) => (method === "POST" ? "hang" : undefined) });
    const signal = AbortSignal.timeout(100);
    const failure = await catchFailure(run("send_message", { message: "x" }, { signal }));
    expect(failure).toMatchObject({ name: "TimeoutError" });
  });

  test("is not polled after the step is over", { tags: "nightly" }, async () => {
    await start({ answer: () => ({ state: TASK_STATE_COMPLETED, afterMs: 60_000 }) });
    const signal = AbortSignal.timeout(300);
    const failure = await catchFailure(run("send_message", { message: "x" }, { signal }));
    expect(failure).toMatchObject({ name: "TimeoutError" });
  });
});

test.each<[string, Record<string, string>, object, RegExp]>([
  ["no message", {}, {}, /"message" is missing/],
  ["data that is no object", { data: "[1]" }, {}, /must be a JSON object/],
  ["a wait that is too long", { message: "x" }, { waitSeconds: 841 }, /1 to 840/],
])("%s is refused", async (_, given, parameters, detail) => {
  await start();
  const failure = await catchFailure(run("send_message", given, { parameters }));
  expect(failure).toBeInstanceOf(ToolError);
  expect(String(failure)).toMatch(detail);
});
