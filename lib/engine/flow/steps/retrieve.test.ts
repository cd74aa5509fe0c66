import { describe, expect, test } from "vitest";
import { compiled, flowOptions, knowledgeWith } from "../../../../test/harness/flow.ts";
import type { Json } from "../../../values/json/json.ts";
import { freePrice } from "../../models/price.ts";
import { compileFlow } from "../compile-flow.ts";
import type { KnowledgeQuery } from "../knowledge.ts";
import { runFlow } from "../run-flow.ts";

const assets = [
  { id: "handbook", displayName: "The handbook" },
  { id: "faq", displayName: null },
];
const passage = {
  assetId: "handbook",
  documentName: "deploy.md",
  text: "Deploy with apply.",
  score: 0.9,
  link: "https://example.com/deploy",
};

const cited = { ...passage, documentId: "d" };

/** Knowledge with one passage, and the queries that it got. */
const oneKnowledge = () => {
  const queries: Omit<KnowledgeQuery, "signal">[] = [];
  const knowledge = knowledgeWith(async ({ signal: _signal, ...query }) => {
    queries.push(query);
    const { cost, priced } = freePrice;
    const embedding = { providerId: "echo", model: "echo-1", inputTokens: 7, cost, priced };
    return { passages: [{ ...cited, chunk: 0 }], embeddings: [embedding] };
  });
  return { knowledge, queries };
};

const run = async (step: object, input = {}) => {
  const { knowledge, queries } = oneKnowledge();
  const { deps, ...options } = flowOptions({ input });
  const flow = compiled([step], [], { assets });
  const result = await runFlow(flow, { ...options, deps: { ...deps, knowledge } });
  return { ...result, queries };
};

describe("Retrieve", () => {
  test("outputs passages of all the revision's assets, unless it names some", async () => {
    const step = { id: "find", type: "Retrieve", query: "{% input.q %}" };
    const { output, queries, spans } = await run(step, { q: "how" });
    expect(output).toEqual([passage]);
    expect(spans.find(({ id }) => id === "find")?.citations).toEqual([cited]);
    await run({ ...step, assets: ["faq"], topK: 2, filter: { documentName: "{% input.q %}" } });
    expect(queries).toEqual([{ assetIds: ["handbook", "faq"], query: "how", topK: 5, filter: {} }]);
  });

  test("evaluates its filter, and counts the embedding of the query as a model's tokens", async () => {
    const filter = { documentName: "{% input.name %}" };
    const step = { id: "find", type: "Retrieve", query: "x", assets: ["faq"], topK: 2, filter };
    const { queries, usage, spans } = await run(step, { name: "a.md" });
    expect(queries).toEqual([
      { assetIds: ["faq"], query: "x", topK: 2, filter: { documentName: "a.md" } },
    ]);
    expect(usage).toMatchObject([
      { providerId: "echo", modelId: "echo-1", tokens: { inputTokens: 7 } },
    ]);
    expect(spans.map(({ type }) => type)).toEqual(["Retrieve", "Model"]);
  });

  test("cites the beginning of a long passage, in which secrets were masked before the cut", async () => {
    const secret = "s3cr3t-value";
    const long = `${"😀".repeat(1_996)}${secret} and more ${"x".repeat(4_000)}`;
    const { deps, ...options } = flowOptions({ input: {} });
    const found = { ...cited, text: long };
    const knowledge = knowledgeWith(async () => ({ passages: [found], embeddings: [] }));
    const flow = compiled([{ id: "find", type: "Retrieve", query: "x" }], [], { assets });
    const hide = (value: Json) =>
      typeof value === "string" ? value.replaceAll(secret, "********") : value;
    const { spans } = await runFlow(flow, { ...options, hide, deps: { ...deps, knowledge } });
    expect(spans[0]?.citations).toEqual([{ ...cited, text: `${"😀".repeat(1_996)}*******…` }]);
  });

  test.each([
    [
      "an asset that the revision does not name",
      { assets: ["other"] },
      assets,
      "/steps/0/assets/0",
    ],
    ["a revision without assets", {}, [], "/steps/0/assets"],
    ["too many passages", { topK: 51 }, assets, "/steps/0/topK"],
  ])("is refused for %s", (_, members, known, pointer) => {
    const step = { id: "find", type: "Retrieve", query: "x", ...members };
    const result = compileFlow({ steps: [step] }, { assets: known });
    expect(result).toMatchObject({ ok: false, errors: [{ pointer }] });
  });
});

describe("assets of a Prompt", () => {
  const call = { call: { name: "search_knowledge", arguments: { query: "how to deploy" } } };
  const prompt = (members: object, asked: object = call) => ({
    id: "ask",
    type: "Prompt",
    prompt: JSON.stringify(asked),
    ...members,
  });

  test("offer a tool that searches them, and the response's span has the passages as citations", async () => {
    const { queries, spans, output } = await run(prompt({ assets: ["handbook"] }));
    expect(queries).toMatchObject([{ assetIds: ["handbook"], query: "how to deploy" }]);
    expect(String(output)).toContain("https://example.com/deploy");
    expect(spans.find(({ id }) => id === "ask")?.citations).toEqual([cited]);
    expect(spans.filter(({ name }) => name === "search_knowledge")).toHaveLength(1);
  });

  test("are not searched by a Prompt that names none", async () => {
    const { queries, spans } = await run(prompt({}));
    expect(queries).toEqual([]);
    expect(spans[0]).not.toHaveProperty("citations");
  });

  test("a call without a query is reported to the model, which may call again", async () => {
    const asked = { call: { name: "search_knowledge", arguments: { query: " " } } };
    const { output, queries } = await run(prompt({ assets: ["faq"] }, asked));
    expect(output).toContain("must be a text");
    expect(queries).toEqual([]);
  });
});
