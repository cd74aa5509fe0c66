import { expect, test } from "vitest";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { GuardrailCheck, isOutside } from "../../guardrails/schemas.ts";
import type { GenerateRequest, ModelProvider } from "../../models/model.ts";
import { noCost } from "../../models/sums.ts";
import { createRunServices } from "./run-services.ts";

const cost = { ...noCost, totalCost: 1 };
const askWith = (
  generate: ModelProvider["generate"],
  { parameters = {}, limitMs = 50 }: { parameters?: object; limitMs?: number } = {},
) => {
  const provider: ModelProvider = {
    defaultModel: "m",
    generate,
    price: async () => ({ cost, priced: true }),
  };
  const services = createRunServices("~test", {
    models: { resolve: async () => provider },
    processor: testProcessor(30_000),
    signal: new AbortController().signal,
    hide: (value) => value,
    limitMs,
    ...{ spend: undefined, spent: 0, clock: () => 7 },
  });
  const check = GuardrailCheck.parse({
    ...{ id: "c", type: "Judge", on: ["output"], action: "block" },
    ...{ llm: { providerId: "p", parameters }, rubric: "r" },
  });
  if (!isOutside(check)) throw new Error("no outside check");
  return { services, asked: services.ask(check, { place: "output", value: "x" }) };
};

test("a Judge that does not respond fails in time, and its usage is estimated", async () => {
  const hang = ({ signal }: GenerateRequest) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const { services, asked } = askWith(hang);
  await expect(asked).rejects.toMatchObject({ timedOut: true });
  expect(await services.end()).toMatchObject([
    { id: "~test/1", type: "Model", status: "Failed", cost },
  ]);
});

test("a call that ignores its end is cancelled, and its usage is estimated", async () => {
  const { services, asked } = askWith(() => new Promise(() => {}));
  await expect(asked).rejects.toMatchObject({ timedOut: true });
  expect(await services.end()).toMatchObject([{ status: "Cancelled", cost }]);
});

test.each([
  [{}, 2_048],
  [{ maxOutputTokens: 100_000 }, 8_192],
  [{ maxOutputTokens: 50 }, 50],
])("the response of a Judge with %j has at most %i tokens", async (parameters, most) => {
  const requests: GenerateRequest[] = [];
  const { asked } = askWith(
    async (request) => {
      requests.push(request);
      return {
        message: { role: "assistant", text: '{"reason": "", "score": 1}', toolCalls: [] },
        usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0, thinkingTokens: 0 },
        finishReason: "stop",
      };
    },
    { parameters, limitMs: 10_000 },
  );
  expect(await asked).toEqual({ applies: true, kinds: [], score: 1 });
  expect(requests[0]?.parameters).toEqual({ temperature: 0, maxOutputTokens: most });
});
