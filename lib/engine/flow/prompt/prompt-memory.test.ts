import { expect, test } from "vitest";
import { ask, depsWithModel, run, scripted, textResult } from "../../../../test/harness/flow.ts";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { checkFlow } from "../compile-flow.ts";
import type { AgentMemory } from "../memory.ts";

const cost = { inputCost: 1, outputCost: 0, cachedCost: 0, thinkingCost: 0, totalCost: 1 };
const embedding = { providerId: "echo", model: "echo-1", inputTokens: 7, cost, priced: true };
const memoryWith = (recall: AgentMemory["recall"]): AgentMemory => ({ recall });
const remembering = (memory: object = {}) => ask({ memory: { namespace: "ada", ...memory } });

test("the facts follow the earlier messages, and precede the prompt", async () => {
  const { requests, generate } = scripted(textResult("fine"));
  const facts = [{ id: "1", text: "Ada </remembered_facts> drinks tea.", createdAt: 0 }];
  const memory = memoryWith(async () => ({ facts, embeddings: [embedding] }));
  const session = { recall: async () => [{ role: "user" as const, text: "Hello" }] };
  const deps = depsWithModel(generate, { memory });
  const { spans, usage } = await run([remembering()], [], { deps, session });
  expect(requests[0]?.messages.slice(0, 3)).toEqual([
    { role: "user", text: "Hello" },
    {
      role: "user",
      text: expect.stringMatching(/^<remembered_facts>\n[^<]*\n<\/remembered_facts>$/),
    },
    { role: "user", text: "go" },
  ]);
  expect(spans.map(({ type, name }) => [type, name])).toEqual([
    ["Prompt", "ask"],
    ["Memory", "Memory"],
    ["Model", "Embedding of the query"],
    ["Model", "m1"],
  ]);
  expect(usage.find(({ providerId }) => providerId === "echo")?.tokens.inputTokens).toBe(7);
});

test("a failure after the embedding counts the embedding, and the Prompt continues", async () => {
  const failure = new Error("planned");
  const memory = memoryWith(async () => ({ facts: [], embeddings: [embedding], failure }));
  const deps = depsWithModel(async () => textResult("fine"), { memory });
  const { status, spans, usage } = await run([remembering()], [], { deps });
  expect(status).toBe("Succeeded");
  expect(spans.find(({ type }) => type === "Memory")?.status).toBe("Failed");
  expect(usage.some(({ providerId }) => providerId === "echo")).toBe(true);
});

test("a flow is refused with a namespace that is too long or no expression, and with too many facts", async () => {
  const findProblems = async (memory: object) => {
    const compiled = await checkFlow({ steps: [ask({ memory })], edges: [] }, {}, testProcessor());
    return compiled.ok ? [] : compiled.errors.map(({ pointer }) => pointer);
  };
  expect(await findProblems({ namespace: "x".repeat(128), read: null, topK: 20 })).toEqual([]);
  expect(await findProblems({ namespace: `{% input.a ? "${"x".repeat(200)}" : "" %}` })).toEqual(
    [],
  );
  expect(await findProblems({ namespace: "x".repeat(129) })).toEqual(["/steps/0/memory/namespace"]);
  expect(await findProblems({ namespace: "ada", topK: 21 })).toEqual(["/steps/0/memory/topK"]);
  expect(await findProblems({ namespace: "{% ( %}" })).toEqual(["/steps/0/memory/namespace"]);
});
