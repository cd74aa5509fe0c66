import { describe, expect, test } from "vitest";
import { agentsWith, compiled, flowOptions, run } from "../../../../test/harness/flow.ts";
import { StepError } from "../../step-error.ts";
import type { SubAgentCall } from "../agent-runner.ts";
import { compileFlow } from "../compile-flow.ts";

const sub = (more: object = {}) => ({ id: "sub", type: "SubAgent", agentId: "weather", ...more });
const withAgents = (work: Parameters<typeof agentsWith>[0]) => ({
  ...flowOptions().deps,
  agents: agentsWith(work),
});

describe("a SubAgent step", () => {
  test("runs the agent with its input, and returns its output", async () => {
    const asked: SubAgentCall[] = [];
    const deps = withAgents(async (call) => {
      asked.push(call);
      return { sunny: true };
    });
    const input = { city: "{% input.city %}", days: "{% 1 + 1 %}" };
    const result = await run([sub({ input })], [], { deps, input: { city: "Lisbon" } });
    expect(result.output).toEqual({ sunny: true });
    expect(asked).toMatchObject([
      { agentId: "weather", input: { city: "Lisbon", days: 2 }, path: "sub" },
    ]);
    expect(result.spans).toMatchObject([
      {
        id: "sub",
        type: "SubAgent",
        input: { agentId: "weather", executionId: "x1", input: { city: "Lisbon", days: 2 } },
        output: { sunny: true },
      },
    ]);
  });

  test("may have its whole input from one expression, which must return an object", async () => {
    const deps = withAgents(async ({ input }) => input);
    const options = { deps, input: { a: 1 } };
    expect((await run([sub({ input: "{% input %}" })], [], options)).output).toEqual({ a: 1 });
    expect((await run([sub()], [], options)).output).toEqual({});
    expect((await run([sub({ input: "{% 5 %}" })], [], options)).error?.detail).toBe(
      '"input" must return an object.',
    );
  });

  test("passes the agents its path in the run, attempts and items included", async () => {
    const paths: string[] = [];
    const deps = withAgents(async ({ path }) => {
      paths.push(path);
      if (paths.length % 2 === 1) throw new StepError("upstream-failed", "Try again.");
      return null;
    });
    const retry = { maxAttempts: 2, backoffSeconds: 0 };
    const loop = { id: "each", type: "ForEach", items: [1, 2], step: sub({ retry }) };
    await run([sub({ retry }), loop], ["sub>each"], { deps });
    expect(paths).toEqual(["sub", "sub#2", "each/0", "each/0#2", "each/1", "each/1#2"]);
  });

  test("fails with the agent's failure", async () => {
    const error = new StepError("budget-exceeded", "The budget of weather is spent.");
    const deps = withAgents(() => Promise.reject(error));
    expect((await run([sub()], [], { deps })).error).toMatchObject({
      slug: "budget-exceeded",
      detail: "The budget of weather is spent.",
      step: "sub",
    });
  });

  test("fails where there are no other agents", async () => {
    expect((await run([sub()])).error?.detail).toBe("There are no other agents here.");
  });

  test("is aborted when the run is", async () => {
    const caller = new AbortController();
    const aborted: boolean[] = [];
    const deps = withAgents(({ signal }) => {
      signal.addEventListener("abort", () => aborted.push(true));
      caller.abort();
      return new Promise(() => {});
    });
    expect((await run([sub()], [], { deps, signal: caller.signal })).status).toBe("Cancelled");
    expect(aborted).toEqual([true]);
  });
});

describe("agentIds of a flow", () => {
  const weather = {
    id: "use-weather",
    agentId: "weather",
    displayName: null,
    description: null,
    parametersMetadata: [],
  };

  test("are those of its steps, of inner steps and of Prompts' tools, without duplicates", () => {
    const steps = [
      sub(),
      { id: "each", type: "ForEach", items: [], step: sub({ agentId: "news" }) },
      { id: "again", type: "SubAgent", agentId: "news" },
      { id: "ask", type: "Prompt", prompt: "x", tools: ["use-math", "current_time"] },
    ];
    const subAgents = [weather, { ...weather, id: "use-math", agentId: "math" }];
    expect(compiled(steps, [], { subAgents }).agentIds).toEqual(["weather", "news", "math"]);
  });

  test("are written out: an expression is none", () => {
    const result = compileFlow({ steps: [sub({ agentId: "{% input.agent %}" })] });
    expect(result).toMatchObject({ ok: false, errors: [{ pointer: "/steps/0/agentId" }] });
  });
});
