import { describe, expect, test } from "vitest";
import {
  ask,
  calls,
  depsWithModel,
  knowledgeWith,
  resultsIn,
  run,
  scripted,
  textResult,
  toolsWith,
} from "../../../../test/harness/flow.ts";
import type { GenerateResult } from "../../models/model.ts";
import { ToolError } from "../../tools/tool.ts";
import type { Knowledge, KnowledgeQuery, KnowledgeRead } from "../knowledge.ts";
import type { FlowSkill, SkillResource } from "../skill.ts";

const skill = (id: string, more: Partial<FlowSkill> = {}): FlowSkill => ({
  id,
  displayName: id.toUpperCase(),
  description: `For ${id}.`,
  instructions: `Do ${id}.`,
  tools: [],
  resources: [],
  ...more,
});

const resource = (assetId: string, more: Partial<SkillResource> = {}): SkillResource => ({
  assetId,
  description: "",
  vectorized: false,
  ...more,
});

const passage = { assetId: "faq", documentId: "d", documentName: "D", link: null, score: 1 };

/** Runs a Prompt with a model that calls tools, and returns what it received. */
const runWith = async (
  skills: readonly FlowSkill[],
  results: readonly GenerateResult[],
  more: {
    step?: object;
    knowledge?: Partial<Knowledge>;
    tools?: ReturnType<typeof toolsWith>;
  } = {},
) => {
  const { requests, generate } = scripted(...results);
  const queries: KnowledgeQuery[] = [];
  const reads: KnowledgeRead[] = [];
  const knowledge = knowledgeWith(
    async (query) => {
      queries.push(query);
      return { passages: [{ ...passage, text: "Found." }], embeddings: [] };
    },
    {
      read: async (request) => {
        reads.push(request);
        return { documentName: "D", text: "All.", length: 4, nextOffset: null };
      },
      ...more.knowledge,
    },
  );
  const resolve = async (id: string) => skills.find((known) => known.id === id);
  const deps = depsWithModel(generate, {
    skills: { resolve },
    knowledge,
    ...(more.tools && { tools: more.tools }),
  });
  const ids = skills.map(({ id }) => id);
  const result = await run([ask({ skills: ids, ...more.step })], [], { deps });
  return { result, requests, queries, reads };
};

const namesIn = (request: { tools?: readonly { name: string }[] } | undefined) =>
  request?.tools?.map(({ name }) => name) ?? [];

describe("two skills", () => {
  test("are in the system text with instructions and resources, in their order", async () => {
    const resources = [
      resource("faq", { vectorized: true, description: "Questions\nand answers" }),
      resource("a.md"),
    ];
    const { requests } = await runWith(
      [skill("b", { resources }), skill("a")],
      [textResult("ok")],
      { step: { system: "Be brief." } },
    );
    expect(requests[0]?.system).toBe(
      [
        "Be brief.",
        "# Skill: B\n\nFor b.\n\nDo b.",
        "Resources:\n\n- faq (search_knowledge): Questions and answers\n- a.md (read_resource)",
        "# Skill: A\n\nFor a.\n\nDo a.",
      ].join("\n\n"),
    );
    expect(namesIn(requests[0])).toEqual(["search_knowledge", "read_resource"]);
  });
});

describe("more than two skills", () => {
  const three = [
    skill("a", { resources: [resource("a.md", { description: "Tables" })] }),
    skill("b", { tools: [{ integrationId: "system", id: "calculate" }] }),
    skill("c", { instructions: `${"é".repeat(100_000)}the end` }),
  ];
  const load = (id: unknown) => ["load_skill", { skill: String(id) }] as const;

  test("are listed with their descriptions, and a tool loads the instructions of one", async () => {
    const { requests, result } = await runWith(three, [calls(load("a")), textResult("ok")], {
      step: { skills: ["a", "b", "c", "a"] },
    });
    const { system } = requests[0] ?? {};
    expect(system).toMatch(/^# Skills\n\nEach of these .*`load_skill`/);
    expect(system).toContain("## a: A\n\nFor a.\n\n## b: B\n\nFor b.\n\n## c: C\n\nFor c.");
    expect(system).not.toContain("Do a.");
    expect(namesIn(requests[0])).toEqual(["load_skill", "read_resource", "calculate"]);
    expect(requests[0]?.tools?.[0]?.parameters).toMatchObject({
      properties: { skill: { enum: ["a", "b", "c"] } },
    });
    const loaded = "# Skill: A\n\nDo a.\n\nResources:\n\n- a.md (read_resource): Tables";
    expect(resultsIn(requests[1])).toMatchObject([{ output: loaded, isError: false }]);
    expect(result.spans.find(({ type }) => type === "Tool")).toMatchObject({
      tool: "load_skill",
      input: { skill: "a" },
      output: loaded,
    });
  });

  test("have the same system text and tools in every turn and run", async () => {
    const results = [calls(load("b")), calls(load("a")), textResult("ok")];
    const [one, other] = [await runWith(three, results), await runWith(three, results)];
    const beginnings = [...one.requests, ...other.requests].map(({ system, tools }) =>
      JSON.stringify([system, tools]),
    );
    expect(beginnings).toHaveLength(6);
    expect(new Set(beginnings).size).toBe(1);
  });

  test("are not repeated when they are loaded twice, and are never cut", async () => {
    const { requests } = await runWith(three, [calls(load("c")), calls(load("c"))]);
    const [first] = resultsIn(requests[1]);
    expect(String(first?.output)).toMatch(/éthe end$/);
    expect(resultsIn(requests[2])).toMatchObject([
      { output: 'The skill "c" is loaded already; its instructions are above.', isError: false },
    ]);
  });

  test.each([
    [{ skill: "d" }, 'There is no skill "d"; did you mean "a"? Known: a, b, c.'],
    [{ skill: "zebra" }, 'There is no skill "zebra". Known: a, b, c.'],
    [{}, "The argument skill must be a text."],
  ])("that are not there (%j) are an error for the model", async (given, detail) => {
    const { requests, result } = await runWith(three, [calls(["load_skill", given])]);
    expect(resultsIn(requests[1])).toMatchObject([{ isError: true }]);
    expect(String(resultsIn(requests[1])[0]?.output)).toContain(detail.split(";")[0]);
    expect(result.status).toBe("Succeeded");
  });
});

describe("resources of skills", () => {
  const searched = skill("a", { resources: [resource("faq", { vectorized: true })] });
  const read = skill("b", { resources: [resource("a.md"), resource("b.md")] });
  const search = calls(["search_knowledge", { query: "how" }]);

  test("that are vectorized are searched with the step's own assets, and cited", async () => {
    const { queries, requests, result } = await runWith([searched], [search, textResult("ok")]);
    expect(queries).toMatchObject([{ assetIds: ["faq"], optional: ["faq"], query: "how" }]);
    expect(resultsIn(requests[1])).toMatchObject([
      { output: [{ source: "faq", documentName: "D", text: "Found." }] },
    ]);
    expect(result.spans[0]?.citations).toMatchObject([{ assetId: "faq", text: "Found." }]);
  });

  test("that are missing are named in the result of a search, which finds the others", async () => {
    const unavailable = [{ assetId: "faq", detail: "does not exist" }];
    const knowledge = {
      search: async () => ({ passages: [], embeddings: [], unavailable }),
    };
    const { requests, result } = await runWith([searched], [search], { knowledge });
    const output = [{ source: "faq", error: "The asset does not exist." }];
    expect(resultsIn(requests[1])).toMatchObject([{ output, isError: false }]);
    expect(result.spans.find(({ type }) => type === "Tool")).toMatchObject({ output });
  });

  test("of more than 200 assets to search fail the step", async () => {
    const resources = Array.from({ length: 201 }, (_, at) =>
      resource(`${at}`, { vectorized: true }),
    );
    const { result } = await runWith([skill("a", { resources })], []);
    expect(result.error?.detail).toContain("201 assets");
  });

  test("are read part by part, and only when the model asks", async () => {
    const knowledge = {
      read: async ({ offset }: KnowledgeRead) => ({
        documentName: "D",
        text: offset === 0 ? "First." : "Last.",
        length: 11,
        nextOffset: offset === 0 ? 6 : null,
      }),
    };
    const { requests, result } = await runWith(
      [read],
      [
        calls(["read_resource", { resource: "a.md" }]),
        calls(["read_resource", { resource: "a.md", offset: 6 }]),
      ],
      { knowledge },
    );
    expect(requests[0]?.tools?.[0]?.parameters).toMatchObject({
      properties: { resource: { enum: ["a.md", "b.md"] } },
    });
    expect([...resultsIn(requests[1]), ...resultsIn(requests[2])]).toMatchObject([
      { output: "First.\n[Characters 0 to 6 of 11. Read on with offset 6.]" },
      { output: "Last.\n[The end of 11 characters.]" },
    ]);
    expect(result.spans.filter(({ tool }) => tool === "read_resource")).toHaveLength(2);
    expect((await runWith([read], [textResult("ok")])).reads).toEqual([]);
  });

  test("with several documents are listed, and one is read by its name", async () => {
    const documents = [
      { id: "1", name: "x.md" },
      { id: "2", name: "y.md" },
    ];
    const knowledge = { read: async () => ({ documents, nextOffset: null }) };
    const call = calls(["read_resource", { resource: "a.md" }]);
    const { requests } = await runWith([read], [call], { knowledge });
    expect(resultsIn(requests[1])).toMatchObject([{ output: { documents, nextOffset: null } }]);
    const named = calls(["read_resource", { resource: "a.md", document: "y.md", offset: "3" }]);
    expect((await runWith([read], [named])).reads).toMatchObject([
      { assetId: "a.md", document: "y.md", offset: 3 },
    ]);
  });

  test.each([
    [{ resource: "c.md" }, 'There is no resource "c.md"'],
    [{ resource: "faq" }, "Known: a.md, b.md."],
    [{}, "The argument resource must be a text."],
    [{ resource: "a.md", offset: -1 }, "must be a number from 0"],
    [{ resource: "a.md", offset: "x" }, "must be a number from 0"],
  ])("that are not there (%j) are an error for the model", async (given, detail) => {
    const { requests, reads } = await runWith([read], [calls(["read_resource", given])]);
    expect(resultsIn(requests[1])).toMatchObject([{ isError: true }]);
    expect(String(resultsIn(requests[1])[0]?.output)).toContain(detail);
    expect(reads).toEqual([]);
  });

  test("that cannot be read are an error for the model, and in the trace", async () => {
    const detail = 'The asset "a.md" does not exist.';
    const knowledge = { read: () => Promise.reject(new ToolError(detail)) };
    const call = calls(["read_resource", { resource: "a.md" }]);
    const { requests, result } = await runWith([read], [call], { knowledge });
    expect(resultsIn(requests[1])).toMatchObject([{ output: detail, isError: true }]);
    expect(result.spans.find(({ tool }) => tool === "read_resource")).toMatchObject({
      status: "Failed",
      error: { detail },
    });
    expect(result.status).toBe("Succeeded");
  });
});

test("a user's tool with the name of a skill's tool gets another name; the skill's keeps its name", async () => {
  const own = ["load_skill", "search_knowledge", "read_resource"];
  const built = toolsWith(async () => "mine");
  const tools: typeof built = {
    ...built,
    resolve: (integrationId, id) => {
      const tool = built.resolve("test", "tool");
      return integrationId === "test" && tool && own.includes(id)
        ? { ...tool, descriptor: { ...tool.descriptor, id } }
        : undefined;
    },
    list: () => {
      const tool = built.resolve("test", "tool");
      const found = own.flatMap((id) =>
        tool ? [{ ...tool, descriptor: { ...tool.descriptor, id } }] : [],
      );
      return new Map([["test", found]]);
    },
  };
  const resources = [resource("faq", { vectorized: true }), resource("a.md")];
  const skills = [skill("a", { resources }), skill("b"), skill("c")];
  const step = { tools: own.map((toolId) => ({ integrationId: "test", toolId })) };
  const { requests } = await runWith(
    skills,
    [calls(["load_skill_2", {}], ["load_skill", { skill: "b" }]), textResult("ok")],
    { step, tools },
  );
  expect(namesIn(requests[0])).toEqual([...own, ...own.map((name) => `${name}_2`)]);
  expect(resultsIn(requests[1]).map(({ output }) => output)).toEqual([
    "mine",
    "# Skill: B\n\nDo b.",
  ]);
});
