import { describe, expect, test } from "vitest";
import {
  agentsWith,
  ask,
  calls,
  depsWithModel,
  resultsIn,
  run,
  scripted,
  textResult,
  weatherAgent,
} from "../../../../test/harness/flow.ts";
import type { Json } from "../../../values/json/json.ts";
import { StepError } from "../../step-error.ts";
import { textParameter } from "../../tools/system/text-parameter.ts";

describe("sub-agents as tools", () => {
  test("get typed inputs with the revision's defaults and their path in the run", async () => {
    const asked: unknown[] = [];
    const agents = agentsWith(async ({ agentId, input, path }) => {
      asked.push({ agentId, input, path });
      return { sun: 1 };
    });
    const { requests, generate } = scripted(
      calls(["weather_report", { city: "Faro", days: 2 }]),
      textResult("Sunny."),
    );
    const deps = depsWithModel(generate, { agents });
    const result = await run([ask({ tools: ["use-weather"] })], [], {
      deps,
      subAgents: [weatherAgent],
    });
    expect(asked).toEqual([
      {
        agentId: "weather",
        input: { city: "Faro", days: 2, key: "s3cret" },
        path: "ask/2",
      },
    ]);
    expect(resultsIn(requests[1])).toMatchObject([{ output: { sun: 1 }, isError: false }]);
    expect(result.spans.find(({ type }) => type === "SubAgent")).toMatchObject({
      id: "ask/2",
      parentId: "ask",
      stepId: "ask",
      name: "use-weather",
      input: { agentId: "weather", executionId: "x1", input: { city: "Faro", days: 2 } },
      output: { sun: 1 },
    });
    expect(JSON.stringify(result.spans)).not.toContain("s3cret");
  });

  test("are described by their agent when the revision has no description", async () => {
    const { requests, generate } = scripted(textResult("ok"));
    const description = {
      displayName: "The Weather",
      description: "Own words.",
      parametersMetadata: [textParameter("place", "Where.")],
    };
    const agents = agentsWith(async () => null, description);
    const bare = { ...weatherAgent, displayName: null, description: null, parametersMetadata: [] };
    const options = { deps: depsWithModel(generate, { agents }), subAgents: [bare] };
    await run([ask({ tools: ["use-weather"] })], [], options);
    expect(requests[0]?.tools).toMatchObject([
      {
        name: "the_weather",
        description: "Own words.",
        parameters: { properties: { place: { type: "string" } } },
      },
    ]);
    const none = {
      ...options,
      deps: depsWithModel(generate, { agents: agentsWith(async () => null) }),
    };
    const result = await run([ask({ tools: ["use-weather"] })], [], none);
    expect(result.error?.detail).toContain('no agent "weather"');
  });

  test.each<[string, Json, Error | undefined, string]>([
    [
      "invalid arguments",
      { days: 0 },
      undefined,
      "/input/city is required; /input/days must be at least 1",
    ],
    ["its failure", { city: "x" }, new StepError("upstream-failed", "Model down."), "Model down."],
  ])("%s is a result that the model reads", async (_name, given, error, detail) => {
    const agents = agentsWith(async () => {
      if (error) throw error;
      return null;
    });
    const { requests, generate } = scripted(calls(["weather_report", given]));
    const deps = depsWithModel(generate, { agents });
    await run([ask({ tools: ["use-weather"] })], [], { deps, subAgents: [weatherAgent] });
    expect(resultsIn(requests[1])).toMatchObject([{ output: detail, isError: true }]);
  });

  test("with a spent budget end the step and abort the other calls of the turn", async () => {
    const aborted: string[] = [];
    const agents = agentsWith(async ({ input, signal }) => {
      if (input.city === "a") throw new StepError("budget-exceeded", "Spent.");
      return new Promise((_done, fail) =>
        signal.addEventListener("abort", () => {
          aborted.push(String(input.city));
          fail(signal.reason);
        }),
      );
    });
    const { generate } = scripted(
      calls(["weather_report", { city: "b" }], ["weather_report", { city: "a" }]),
    );
    const deps = depsWithModel(generate, { agents });
    const retry = { maxAttempts: 3, on: ["execution-failed", "upstream-failed"] };
    const step = ask({ tools: ["use-weather"], retry });
    const result = await run([step], [], { deps, subAgents: [weatherAgent] });
    expect(result).toMatchObject({ status: "Failed", error: { slug: "budget-exceeded" } });
    expect(aborted).toEqual(["b"]);
    expect(result.spans.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "ask Failed",
      "ask/1 Succeeded",
      "ask/2 Cancelled",
      "ask/3 Failed",
    ]);
  });
});
