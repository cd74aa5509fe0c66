import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization } from "../harness/api.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";

const Asked = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
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

test("a model reads a skill's current instructions and calls its tools", async () => {
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
