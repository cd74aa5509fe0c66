import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { AssetDocumentPage } from "../../lib/knowledge/document/schemas.ts";
import { expectProblem, newOrganization } from "../harness/api.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";

const Asked = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});

/** A busy machine indexes slowly. */
const waiting = { timeout: 100_000, interval: 250 };

const Trace = z.looseObject({
  spans: z.array(z.looseObject({ tool: z.string().nullish() })),
});

let own: Awaited<ReturnType<typeof newOrganization>>;
let models: ModelServer;

beforeAll(async () => {
  models = await startModelServer();
  own = await newOrganization();
  await own.send("POST", "/llm-providers", {
    id: "stand-in",
    type: "openai-compatible",
    baseUrl: `${models.url}/v1`,
  });
  const skill = { id: "arithmetic", displayName: "Arithmetic", description: "Calculates." };
  await own.send("POST", "/skills", skill);
  await own.deployAgent("clerk", {
    llmConfigs: [{ providerId: "stand-in", parameters: { model: "any" } }],
    flow: {
      steps: [
        {
          id: "ask",
          type: "Prompt",
          system: "Be brief.",
          prompt: "6 * 7?",
          skills: ["arithmetic"],
        },
      ],
      edges: [],
    },
  });
});

afterAll(() => models.close());

const execute = () => own.try("POST", "/agents/clerk:execute", { body: { input: {} } });

const lastAsked = () => {
  const { messages, tools = [] } = Asked.parse(models.requests.at(-1)?.body);
  const system = messages.find(({ role }) => role === "system")?.content;
  return { system, tools: tools.map((tool) => tool.function.name), text: JSON.stringify(messages) };
};

test("a model reads a skill's current instructions and calls its tools", {
  tags: "nightly",
}, async () => {
  await own.send("DELETE", "/skills/arithmetic");
  expect(expectProblem(await execute())).toMatchObject({ slug: "execution-failed", step: "ask" });
  const drafted = await own.send("POST", "/skills:generate-from-markdown", {
    fileName: "arithmetic/SKILL.md",
    markdownContent:
      "---\nname: arithmetic\ndescription: Calculates.\nallowed-tools: system/calculate\n---\n# Arithmetic\n\nNever guess.\n",
  });
  await own.send("POST", "/skills", drafted.body);
  models.script(
    { toolCalls: [{ name: "calculate", arguments: { expression: "6 * 7" } }] },
    { text: "42, calculated." },
  );
  expect((await execute()).body).toMatchObject({ output: "42, calculated." });
  const first = lastAsked();
  expect(first.system).toBe(
    "Be brief.\n\n# Skill: Arithmetic\n\nCalculates.\n\n# Arithmetic\n\nNever guess.",
  );
  expect(first.tools).toEqual(["calculate"]);
  expect(first.text).toContain("42");

  await own.send("PUT", "/skills/arithmetic", { instructions: "Guess.", tools: null });
  expect((await execute()).status).toBe(200);
  expect(lastAsked()).toMatchObject({
    system: "Be brief.\n\n# Skill: Arithmetic\n\nCalculates.\n\nGuess.",
    tools: [],
  });

  await own.send("DELETE", "/skills/arithmetic");
  expect(expectProblem(await execute())).toMatchObject({ slug: "execution-failed", step: "ask" });
});

test("a model loads one of three skills, reads its resource, and searches another", {
  tags: "nightly",
}, async () => {
  const headers = { "Content-Type": "text/markdown" };
  for (const id of ["returns", "prices"]) {
    await own.send("POST", "/assets", { id, displayName: id, type: "upload" });
    const raw = `The ${id} of a desk: 30.`;
    await own.try("POST", `/assets/${id}/documents?name=${id}.md`, { raw, headers });
  }
  for (const id of ["returns", "prices"]) {
    await vi.waitFor(async () => {
      const { items } = AssetDocumentPage.parse(
        (await own.send("GET", `/assets/${id}/documents`)).body,
      );
      expect(items).toMatchObject([{ status: "Indexed" }]);
    }, waiting);
  }
  const skill = { displayName: "S", description: "S.", instructions: "Look it up." };
  const resources = [
    { assetId: "returns", description: "Returns" },
    { assetId: "prices", description: "Prices", vectorized: true },
    { assetId: "gone", description: "Gone", vectorized: true },
  ];
  await own.send("POST", "/skills", { ...skill, id: "shop", resources });
  for (const id of ["travel", "manners"]) await own.send("POST", "/skills", { ...skill, id });
  await own.deployAgent("seller", {
    llmConfigs: [{ providerId: "stand-in", parameters: { model: "any" } }],
    flow: {
      steps: [
        { id: "ask", type: "Prompt", prompt: "How long?", skills: ["shop", "travel", "manners"] },
      ],
      edges: [],
    },
  });
  models.script(
    { toolCalls: [{ name: "load_skill", arguments: { skill: "shop" } }] },
    {
      toolCalls: [
        { name: "read_resource", arguments: { resource: "returns" } },
        { name: "search_knowledge", arguments: { query: "price of a desk" } },
      ],
    },
    { text: "30." },
  );
  const executed = await own.send("POST", "/agents/seller:execute", { input: {} });
  expect(executed.body).toMatchObject({
    output: "30.",
    citations: [{ assetId: "prices", text: "The prices of a desk: 30." }],
  });
  const { system, tools, text } = lastAsked();
  expect(system).toContain("## travel: S");
  expect(system).not.toContain("Look it up.");
  expect(tools).toEqual(["load_skill", "search_knowledge", "read_resource"]);
  expect(text).toContain("Look it up.");
  expect(text).toContain("The returns of a desk: 30.");
  expect(text).toContain("The asset does not exist.");
  const { executionId } = z.looseObject({ executionId: z.string() }).parse(executed.body);
  const trace = await own.send("GET", `/agents/seller/execution-records/${executionId}/trace`);
  const { spans } = Trace.parse(trace.body);
  expect(spans.flatMap(({ tool }) => tool ?? []).toSorted()).toEqual([
    "load_skill",
    "read_resource",
    "search_knowledge",
  ]);
});
