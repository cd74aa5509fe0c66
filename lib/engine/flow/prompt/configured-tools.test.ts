import { describe, expect, test } from "vitest";
import {
  ask,
  calls,
  depsWithModel,
  resultsIn,
  run,
  scripted,
  textResult,
  toolsWith,
} from "../../../../test/harness/flow.ts";
import { textParameter } from "../../tools/system/text-parameter.ts";
import { type Tool, ToolError, type ToolName, type ToolRegistry } from "../../tools/tool.ts";
import { compileFlow } from "../compile-flow.ts";

const one = "0193f0a0-7c4b-7000-8000-000000000001";
const two = "0193f0a0-7c4b-7000-8000-000000000002";

/** A registry with the tool `GET weather` in any config, and what it was asked for. */
const configured = (more: Partial<Tool["descriptor"]> = {}) => {
  const asked: ToolName[] = [];
  const given: unknown[] = [];
  const builtIn = toolsWith(async () => null);
  const tools: ToolRegistry = {
    ...builtIn,
    configured: ["openapi"],
    load: async (name) => {
      asked.push(name);
      if (name.toolId === "gone") throw new ToolError("no such tool");
      return {
        descriptor: {
          id: name.toolId,
          displayName: "Weather",
          description: "",
          actionType: "ReadOnly",
          resultType: "Json",
          parametersMetadata: [
            { ...textParameter("city", "Where.", { required: true }) },
            { ...textParameter("days", "How many."), type: "Integer" },
          ],
          ...more,
        },
        run: async (parameters) => {
          given.push(parameters);
          return { from: name.configId ?? "oldest" };
        },
      };
    },
  };
  return { tools, asked, given };
};
const tool = (more: object = {}) => ({
  id: "t",
  type: "Tool",
  integrationId: "openapi",
  toolId: "weather",
  configId: one,
  ...more,
});
const options = ({ tools }: { tools: ToolRegistry }) => ({
  deps: depsWithModel(async () => textResult("x"), { tools }),
});

describe("a Tool step of a config", () => {
  test("runs the tool of that config", { tags: "nightly" }, async () => {
    const registry = configured();
    const parameters = { city: "{% 'Bo' & 'nn' %}", days: "2" };
    const result = await run([tool({ parameters })], [], options(registry));
    expect(result).toMatchObject({ status: "Succeeded", output: { from: one } });
    expect(registry.asked).toMatchObject([
      { integrationId: "openapi", toolId: "weather", configId: one },
    ]);
    expect(registry.given).toEqual([{ city: "Bonn", days: "2" }]);
  });

  test.each([
    [{}, 'weather needs the parameter "city"'],
    [{ parameters: { city: "Bonn", planet: "Mars" } }, 'no parameter "planet"'],
    [{ toolId: "gone" }, "no such tool"],
  ])("with %j fails with a reason", async (more, detail) => {
    const { status, error } = await run([tool(more)], [], options(configured()));
    expect(status).toBe("Failed");
    expect(error).toMatchObject({
      slug: "execution-failed",
      detail: expect.stringContaining(detail),
    });
  });

  test.each([
    [{ configId: undefined }, "/steps/0/configId", "needs the id of a config"],
    [{ configId: "latest" }, "/steps/0/configId", "a uuid"],
    [{ integrationId: "jira" }, "/steps/0/integrationId", "Known: test, openapi."],
  ])("with %j is refused when it is checked", (more, pointer, detail) => {
    const { tools } = configured();
    expect(compileFlow({ steps: [tool(more)] }, { tools })).toMatchObject({
      ok: false,
      errors: [{ pointer, detail: expect.stringContaining(detail) }],
    });
  });
});

describe("a model", () => {
  test("gets the tools of configs under unique names, and passes text to them", async () => {
    const registry = configured();
    const { requests, generate } = scripted(
      calls(
        ["repos_get_weather", { city: "Bonn", days: 2 }],
        ["repos_get_weather_2", { city: "Ulm" }],
      ),
      textResult("done"),
    );
    const tools = [one, two, one].map((configId) => ({
      integrationId: "openapi",
      toolId: "repos.get/weather",
      configId,
    }));
    const deps = depsWithModel(generate, { tools: registry.tools });
    await run([ask({ tools })], [], { deps });
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual([
      "repos_get_weather",
      "repos_get_weather_2",
    ]);
    expect(requests[0]?.tools?.[0]?.parameters).toMatchObject({
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    });
    expect(registry.given).toEqual([{ city: "Bonn", days: "2" }, { city: "Ulm" }]);
    expect(resultsIn(requests[1]).map(({ output }) => output)).toEqual([
      { from: one },
      { from: two },
    ]);
  });

  test("gets names of at most 64 characters, whatever the tool is called", async () => {
    const registry = configured();
    const { requests, generate } = scripted(textResult("done"));
    const long = ["a", "b"].map((end) => `${"x".repeat(90)}${end}`);
    const tools = long.map((toolId) => ({ integrationId: "openapi", toolId, configId: one }));
    await run([ask({ tools })], [], { deps: depsWithModel(generate, { tools: registry.tools }) });
    const names = requests[0]?.tools?.map(({ name }) => name) ?? [];
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);
  });

  test("gets a skill's tools, of the oldest config where the skill names none", async () => {
    const registry = configured();
    const { generate } = scripted(calls(["weather", { city: "Bonn" }]), textResult("done"));
    const skill = {
      id: "s",
      displayName: "S",
      description: "s",
      instructions: null,
      tools: [{ integrationId: "openapi", id: "weather" }],
      resources: [],
    };
    const skills = { resolve: async () => skill };
    const deps = depsWithModel(generate, { tools: registry.tools, skills });
    await run([ask({ skills: ["s"] })], [], { deps });
    expect(registry.asked).toEqual([{ integrationId: "openapi", toolId: "weather" }]);
    expect(registry.given).toEqual([{ city: "Bonn" }]);
  });
});
