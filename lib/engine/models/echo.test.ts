import fc from "fast-check";
import { expect, test } from "vitest";
import { echoModel } from "./echo.ts";
import type { ModelMessage } from "./model.ts";
import { createModelRegistry } from "./registry.ts";

const request = { model: "echo-1", parameters: {}, signal: new AbortController().signal };
const userMessages = (text: string): readonly ModelMessage[] => [{ role: "user", text }];
const tool = { name: "weather", description: "", parameters: { type: "object" } };
const wish = '{"call": {"name": "weather", "arguments": {"city": "Kyiv"}}}';

test("responds with the prompt and counts every started 4 bytes as a token", async () => {
  const result = await echoModel.generate({
    ...request,
    system: "sys",
    messages: userMessages("héllo"),
  });
  expect(result).toEqual({
    message: { role: "assistant", text: "héllo", toolCalls: [] },
    usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 0, thinkingTokens: 0 },
    finishReason: "stop",
  });
});

test("streams word by word, which together are the prompt", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom("a", "é", " ", "\n") }), async (prompt) => {
      const parts: string[] = [];
      await echoModel.generate({
        ...request,
        messages: userMessages(prompt),
        onDelta: (text) => parts.push(text),
      });
      expect(parts.join("")).toBe(prompt);
      expect(parts.every((part) => (part.match(/\S+/g) ?? []).length <= 1)).toBe(true);
    }),
  );
});

test("calls the tool that a prompt names, then responds with its result", async () => {
  const first = await echoModel.generate({
    ...request,
    messages: userMessages(wish),
    tools: [tool],
  });
  expect(first).toMatchObject({
    message: {
      text: "",
      toolCalls: [{ id: "call-1", name: "weather", arguments: { city: "Kyiv" } }],
    },
    finishReason: "tool-calls",
  });
  const results = [{ id: "call-1", name: "weather", output: { sky: "blue" }, isError: false }];
  const messages = [...userMessages(wish), first.message, { role: "tool" as const, results }];
  const second = await echoModel.generate({ ...request, messages, tools: [tool] });
  expect(second).toMatchObject({
    message: { text: '{"sky":"blue"}', toolCalls: [] },
    finishReason: "stop",
  });
  expect(second.usage.inputTokens).toBe(
    Math.ceil(`${wish}weather{"city":"Kyiv"}{"sky":"blue"}`.length / 4),
  );
});

test.each(["Hello", "{broken", '{"call": {"name": "other"}}', '{"call": 1}', "[1]"])(
  "calls no tool for %s",
  async (prompt) => {
    const result = await echoModel.generate({
      ...request,
      messages: userMessages(prompt),
      tools: [tool],
    });
    expect(result.message).toEqual({ role: "assistant", text: prompt, toolCalls: [] });
  },
);

test("calls no tool when none is offered", async () => {
  const { message } = await echoModel.generate({ ...request, messages: userMessages(wish) });
  expect(message).toEqual({ role: "assistant", text: wish, toolCalls: [] });
});

test("returns a JSON prompt as the object that a schema requires", async () => {
  const outputSchema = { type: "object" };
  const { message } = await echoModel.generate({
    ...request,
    messages: userMessages('{"a":1}'),
    outputSchema,
  });
  expect(JSON.parse(message.text)).toEqual({ a: 1 });
});

test("costs nothing, and that is its price", async () => {
  const usage = { inputTokens: 9, outputTokens: 9, cachedTokens: 0, thinkingTokens: 0 };
  expect(await echoModel.price("echo-1", usage)).toEqual({
    cost: { inputCost: 0, outputCost: 0, cachedCost: 0, thinkingCost: 0, totalCost: 0 },
    priced: true,
  });
});

test("does not respond once it is aborted", async () => {
  await expect(
    echoModel.generate({
      ...request,
      messages: userMessages("x"),
      signal: AbortSignal.abort(new Error("stop")),
    }),
  ).rejects.toThrow("stop");
});

test("the registry always has echo, in addition to the given providers", async () => {
  const registry = createModelRegistry(new Map([["mine", echoModel]]));
  expect(await registry.resolve("echo")).toBe(echoModel);
  expect(await registry.resolve("mine")).toBe(echoModel);
  expect(await registry.resolve("other")).toBeUndefined();
});
