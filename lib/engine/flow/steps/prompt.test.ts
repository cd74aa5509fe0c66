import { describe, expect, test } from "vitest";
import {
  agentsWith,
  ask,
  depsWithModel,
  run,
  scripted,
  textResult,
  weatherAgent,
} from "../../../../test/harness/flow.ts";
import { testProcessor } from "../../../../test/harness/processor.ts";
import type { ModelMessage } from "../../models/model.ts";
import { checkFlow, compileFlow } from "../compile-flow.ts";
import type { FlowOptions } from "../flow-result.ts";
import type { FlowSkill } from "../skill.ts";

test("sends the model the earlier messages of its session first", async () => {
  const { requests, generate } = scripted(textResult("fine"));
  const messages: readonly ModelMessage[] = [
    { role: "user", text: "Still there?" },
    { role: "assistant", text: "Yes", toolCalls: [] },
  ];
  const session = { recall: async () => messages };
  await run([ask({ prompt: "How are you?" })], [], { deps: depsWithModel(generate), session });
  expect(requests[0]?.messages.slice(0, 3)).toEqual([
    { role: "user", text: "Still there?" },
    { role: "assistant", text: "Yes", toolCalls: [] },
    { role: "user", text: "How are you?" },
  ]);
});

describe("outputSchema", () => {
  const outputSchema = {
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
  };

  test.each([
    ["JSON", '{"n": 1}'],
    ["JSON wrapped as code", '```json\n{"n": 1}\n```'],
  ])(
    "returns the object of a response that is %s; the provider receives the schema",
    async (_name, text) => {
      const { requests, generate } = scripted(textResult(text));
      const result = await run([ask({ outputSchema })], [], { deps: depsWithModel(generate) });
      expect(result.output).toEqual({ n: 1 });
      expect(requests[0]?.outputSchema).toEqual(outputSchema);
    },
  );

  test("reports the error to the model once", async () => {
    const { requests, generate } = scripted(textResult('{"n": "x"}'), textResult('{"n": 2}'));
    const result = await run([ask({ outputSchema })], [], { deps: depsWithModel(generate) });
    expect(result.output).toEqual({ n: 2 });
    expect(requests[1]?.messages.at(-1)).toMatchObject({
      role: "user",
      text: expect.stringContaining("/n: "),
    });
  });

  test("fails after the second invalid response, or when no turn is left", async () => {
    const always = depsWithModel(async () => textResult("no JSON"));
    const result = await run([ask({ outputSchema })], [], { deps: always });
    expect(result.error).toMatchObject({
      slug: "execution-failed",
      detail: `The model's response does not match "outputSchema": it is not valid JSON.`,
    });
    expect(result.spans.filter(({ type }) => type === "Model")).toHaveLength(2);
    const once = await run([ask({ outputSchema, maxTurns: 1 })], [], { deps: always });
    expect(once.spans.filter(({ type }) => type === "Model")).toHaveLength(1);
  });

  test("reports that the response was cut off, and its span names the model of the response", async () => {
    const deps = depsWithModel(async () => ({
      ...textResult('{"n":'),
      finishReason: "length" as const,
      responseModelId: "m-2026-08-07",
    }));
    const { error, spans } = await run([ask({ outputSchema })], [], { deps });
    expect(error?.detail).toContain("maxOutputTokens");
    expect(spans.find(({ type }) => type === "Model")).toMatchObject({
      finishReason: "length",
      responseModelId: "m-2026-08-07",
    });
  });
});

describe("skills", () => {
  const skill: FlowSkill = {
    id: "math",
    displayName: "Mathematics",
    description: "For numbers.",
    instructions: "Always calculate.",
    tools: [{ integrationId: "system", id: "calculate" }],
    resources: [],
  };
  const resolve = async (id: string) => (id === "math" ? skill : undefined);

  test("are in the system text, and their tools are offered once", async () => {
    const { requests, generate } = scripted(textResult("ok"));
    const deps = depsWithModel(generate, { skills: { resolve } });
    const step = ask({ system: "Be brief.", skills: ["math", "math"], tools: ["calculate"] });
    await run([step], [], { deps });
    expect(requests[0]?.system).toBe(
      "Be brief.\n\n# Skill: Mathematics\n\nFor numbers.\n\nAlways calculate.",
    );
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(["calculate"]);
  });

  test.each<[string, Partial<FlowOptions["deps"]>, string]>([
    ["that do not exist", { skills: { resolve: async () => undefined } }, 'no skill "math"'],
    ["that nobody can find", {}, "no skills here"],
    [
      "whose tool is not there",
      {
        skills: {
          resolve: async () => ({ ...skill, tools: [{ integrationId: "jira", id: "issues" }] }),
        },
      },
      'no integration "jira"',
    ],
  ])("%s fail the step", async (_name, more, detail) => {
    const deps = depsWithModel(async () => textResult("ok"), more);
    const result = await run([ask({ skills: ["math"] })], [], { deps });
    expect(result.error?.detail).toContain(detail);
  });
});

describe("checking", () => {
  test.each<[string, object, string, string]>([
    ["an unknown name", { tools: ["nope"] }, "/tools/0", "Known: use-weather, current_time"],
    [
      "an unknown integration",
      { tools: [{ integrationId: "jira", toolId: "x" }] },
      "/tools/0/integrationId",
      "Known: system, openapi, mcp, a2a.",
    ],
    [
      "an unknown tool",
      { tools: ["calculate", { integrationId: "system", toolId: "x" }] },
      "/tools/1/toolId",
      "Known: current_time",
    ],
    [
      "a configuration",
      { tools: [{ integrationId: "system", toolId: "calculate", configId: "c" }] },
      "/tools/0/configId",
      "does not accept a config",
    ],
    [
      "a schema that is none",
      { outputSchema: { type: "objekt" } },
      "/outputSchema",
      "is not a JSON Schema",
    ],
    ["too many turns", { maxTurns: 51 }, "/maxTurns", "50"],
  ])("refuses %s", (_name, more, pointer, detail) => {
    const result = compileFlow({ steps: [ask(more)] }, { subAgents: [weatherAgent] });
    expect(result).toMatchObject({
      ok: false,
      errors: [{ pointer: `/steps/0${pointer}`, detail: expect.stringContaining(detail) }],
    });
  });

  test.each([
    ["", "/minLength", { type: "string", minLength: -1 }],
    [
      " of a ForEach's step",
      "/properties/a~1b/required",
      { properties: { "a/b": { required: ["x", "x"] } } },
    ],
  ])(
    "checkFlow refuses an outputSchema%s that breaks the meta-schema",
    async (where, at, outputSchema) => {
      const step = ask({ outputSchema });
      const steps = [where === "" ? step : { id: "each", type: "ForEach", items: [1], step }];
      const processor = testProcessor(60_000);
      expect(await checkFlow({ steps }, {}, processor)).toMatchObject({
        ok: false,
        errors: [
          {
            pointer: `/steps/0${where === "" ? "" : "/step"}/outputSchema${at}`,
            detail: expect.stringContaining("is not a JSON Schema"),
          },
        ],
      });
      // Revisions that were stored before the check still run.
      expect(compileFlow({ steps })).toMatchObject({ ok: true });
    },
  );

  test("a sub-agent goes before a system tool of the same id", async () => {
    const { requests, generate } = scripted(textResult("ok"));
    const deps = { ...depsWithModel(generate), agents: agentsWith(async () => null) };
    const subAgents = [{ ...weatherAgent, id: "calculate" }];
    await run([ask({ tools: ["calculate"] })], [], { deps, subAgents });
    expect(requests[0]?.tools?.[0]?.name).toBe("weather_report");
  });
});
