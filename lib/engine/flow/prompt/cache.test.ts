import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { converse, countMarks, splitBody } from "../../../../test/harness/conversations.ts";
import { type ModelServer, startModelServer } from "../../../../test/harness/model-server.ts";
import { propertyRuns } from "../../../../test/harness/runs.ts";
import type { ModelMessage } from "../../models/model.ts";
import { type ProviderType, providerTypes } from "../../models/provider-settings.ts";
import { estimateCall } from "./estimate-call.ts";

const models: Record<ProviderType, string> = {
  openai: "gpt-5",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-3-pro",
  bedrock: "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "openai-compatible": "llama3.3",
};
const marking: readonly ProviderType[] = ["anthropic", "bedrock"];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const turn = fc.record({ text, result: fc.oneof(text, fc.dictionary(text, fc.integer())) });

const expectPrefixes = (bodies: readonly Record<string, unknown>[]) => {
  const split = bodies.map(splitBody);
  for (const [at, { messages, rest }] of split.entries()) {
    const before = split[at - 1];
    if (!before) continue;
    expect(rest).toBe(before.rest);
    expect(messages.slice(0, before.messages.length)).toBe(before.messages);
    expect(messages.length).toBeGreaterThan(before.messages.length);
  }
};

describe.each(providerTypes)("%s", (type) => {
  const model = models[type];

  test("a request of a turn is byte for byte the beginning of the next turn's", {
    tags: "nightly",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 5 }),
        fc.option(text, { nil: undefined }),
        async (turns, reasoning) => {
          const more = reasoning === undefined ? {} : { reasoning };
          const { bodies } = await converse(server, { type, model, system: "S", turns, ...more });
          expect(bodies).toHaveLength(turns.length + 1);
          expectPrefixes(bodies);
        },
      ),
      { numRuns: propertyRuns(100, 15) },
    );
  });

  test("the first request of an execution is the beginning of that of the session's next one", {
    tags: "nightly",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ prompt: text, turns: fc.array(turn, { maxLength: 2 }) }), {
          minLength: 2,
          maxLength: 4,
        }),
        async (executions) => {
          let earlier: readonly ModelMessage[] = [];
          const firsts: Record<string, unknown>[] = [];
          for (const { prompt, turns } of executions) {
            const settings = { type, model, system: "S", prompt, turns, earlier };
            const { bodies, exchange } = await converse(server, settings);
            firsts.push(bodies[0] ?? {});
            earlier = [...earlier, ...JSON.parse(JSON.stringify(exchange))];
          }
          expectPrefixes(firsts);
        },
      ),
      { numRuns: propertyRuns(100, 10) },
    );
  });

  const turns = Array.from({ length: 5 }, (_, at) => ({ text: `${at}`, result: "fine" }));
  const earlier: readonly ModelMessage[] = [
    { role: "user", text: "Before" },
    { role: "assistant", text: "Yes", toolCalls: [] },
  ];

  test("the beginning is marked where the service caches only that, at most 4 times", async () => {
    const { bodies } = await converse(server, { type, model, system: "S", turns, earlier });
    const marks = bodies.map(countMarks);
    if (marking.includes(type)) {
      expect(Math.max(...marks)).toBe(4);
      expect(Math.min(...marks)).toBeGreaterThan(1);
    } else expect(JSON.stringify(bodies)).not.toMatch(/cache/i);
  });

  test("nothing is marked when it is off, when no second request is likely, or when parameters name a cache", async () => {
    const off = await converse(server, { type, model, system: "S", turns, cache: "off" });
    const single = await converse(server, { type, model, system: "S", turns: [], hasTools: false });
    expect([...off.bodies, ...single.bodies].map(countMarks)).toEqual(Array(7).fill(0));
    if (type !== "anthropic") return;
    const parameters = { cacheControl: { type: "ephemeral", ttl: "1h" } };
    const own = await converse(server, { type, model, system: "S", turns, parameters });
    expect(new Set(own.bodies.map(countMarks))).toEqual(new Set([1]));
  });
});

test.each([
  ["anthropic.claude-3-haiku-20240307-v1:0", 0],
  ["anthropic.claude-3-5-sonnet-20240620-v1:0", 0],
  ["anthropic.claude-v2:1", 0],
  ["us.anthropic.claude-3-5-haiku-20241022-v1:0", 3],
  ["us.anthropic.claude-3-7-sonnet-20250219-v1:0", 3],
  ["anthropic.claude-opus-4-20250514-v1:0", 3],
  ["amazon.nova-pro-v1:0", 1],
  ["meta.llama3-1-70b-instruct-v1:0", 0],
  ["arn:aws:bedrock:eu-west-1:1:application-inference-profile/abc", 0],
])(
  "Bedrock's %s has at most %i marks without a session: others refuse them",
  async (model, most) => {
    const turns = [{ text: "a", result: "b" }];
    const { bodies } = await converse(server, { type: "bedrock", model, system: "S", turns });
    expect(Math.max(...bodies.map(countMarks))).toBe(most);
  },
);

test("a call is bounded by the price of writing its input to a cache, where it asks for that", async () => {
  const price = async (
    _model: string,
    { cacheWriteTokens = 0 }: { cacheWriteTokens?: number },
  ) => ({
    cost: {
      inputCost: cacheWriteTokens,
      outputCost: 0,
      cachedCost: 0,
      thinkingCost: 0,
      totalCost: 0,
    },
    priced: true,
  });
  const called = { providerId: "p", model: "m", parameters: {} };
  const question = { messages: [{ role: "user" as const, text: "Hi" }], cache: { recalled: 0 } };
  const bound = async (cachesOnRequest: boolean, asked: object = question) => {
    const provider = { price, cachesOnRequest: () => cachesOnRequest };
    const { most } = await estimateCall({ ...called, provider }, { ...question, ...asked });
    return most;
  };
  expect(await bound(true)).toBe(JSON.stringify({ messages: question.messages }).length);
  expect(await bound(false)).toBe(0);
  expect(await bound(true, { cache: undefined })).toBe(0);
});
