import fc from "fast-check";
import { expect, test } from "vitest";
import { echo } from "./echo.ts";
import { createModelRegistry } from "./model-registry.ts";

const request = { model: "echo-1", parameters: {}, signal: new AbortController().signal };

test("answers the prompt and counts every started 4 bytes as a token", async () => {
  const result = await echo.generate({ ...request, system: "sys", prompt: "héllo" });
  expect(result).toEqual({
    text: "héllo",
    usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 0, thinkingTokens: 0 },
  });
});

test("streams word by word, which together are the prompt", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom("a", "é", " ", "\n") }), async (prompt) => {
      const parts: string[] = [];
      await echo.generate({ ...request, prompt, onDelta: (text) => parts.push(text) });
      expect(parts.join("")).toBe(prompt);
      expect(parts.every((part) => (part.match(/\S+/g) ?? []).length <= 1)).toBe(true);
    }),
  );
});

test("does not answer once it is aborted", async () => {
  await expect(
    echo.generate({ ...request, prompt: "x", signal: AbortSignal.abort(new Error("stop")) }),
  ).rejects.toThrow("stop");
});

test("the registry always has echo, and the providers that it is given", async () => {
  const registry = createModelRegistry(new Map([["mine", echo]]));
  expect(await registry.resolve("echo")).toBe(echo);
  expect(await registry.resolve("mine")).toBe(echo);
  expect(await registry.resolve("other")).toBeUndefined();
});
