import { type CompiledFlow, compileFlow } from "../../lib/flow/compile-flow.ts";
import type { FlowOptions, FlowResult } from "../../lib/flow/flow-result.ts";
import { runFlow } from "../../lib/flow/run-flow.ts";
import { echo } from "../../lib/models/echo.ts";
import type { ModelProvider } from "../../lib/models/model.ts";
import { createModelRegistry } from "../../lib/models/model-registry.ts";
import type { Tool, ToolRegistry } from "../../lib/tools/tool.ts";
import { createToolRegistry } from "../../lib/tools/tool-registry.ts";

/** For tests: a clock that goes on by 1 ms whenever it is read. */
export function createTickingClock(start = 1_000): () => number {
  let now = start;
  return () => {
    now += 1;
    return now;
  };
}

/** For tests: the options of a run with `echo`, the system tools, and nothing of the real clock. */
export function flowOptions(options: Partial<FlowOptions> = {}): FlowOptions {
  return {
    input: {},
    parameters: {},
    trigger: { type: 0, id: "key", provider: null },
    execution: { id: "e1", agentId: "agent", agentRevision: 1, startTime: 1_000 },
    deps: {
      clock: createTickingClock(),
      models: createModelRegistry(),
      tools: createToolRegistry(),
    },
    signal: new AbortController().signal,
    deadline: 1_000_000,
    defaultLlm: { providerId: "echo", parameters: {} },
    ...options,
  };
}

/** For tests: a flow that must compile. */
export function compiled(
  steps: readonly object[],
  edges: readonly string[] = [],
  tools?: ToolRegistry,
): CompiledFlow {
  const result = compileFlow(
    {
      steps,
      edges: edges.map((edge) => {
        const [source, target] = edge.split(">");
        return { source, target };
      }),
    },
    tools ? { tools } : {},
  );
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.flow;
}

/** For tests: runs steps with edges such as "a>b". */
export function run(
  steps: readonly object[],
  edges: readonly string[] = [],
  options: Partial<FlowOptions> = {},
): Promise<FlowResult> {
  return runFlow(compiled(steps, edges, options.deps?.tools), flowOptions(options));
}

/** For tests: dependencies with a provider `test` in place of a real one. */
export function depsWithModel(
  generate: ModelProvider["generate"],
  more: Partial<FlowOptions["deps"]> = {},
): FlowOptions["deps"] {
  const providers = new Map<string, ModelProvider>([
    ["test", { defaultModel: "m", generate }],
    ["echo", echo],
  ]);
  return { ...flowOptions().deps, models: createModelRegistry(providers), ...more };
}

/** For tests: a registry whose integration `test` has the one tool `tool`. */
export function toolsWith(runTool: Tool["run"]): ToolRegistry {
  const tool: Tool = {
    descriptor: {
      id: "tool",
      displayName: "Tool",
      description: "",
      actionType: "ReadOnly",
      resultType: "Json",
      parametersMetadata: [],
    },
    run: runTool,
  };
  return {
    resolve: (integration, id) => (integration === "test" && id === "tool" ? tool : undefined),
    list: () => new Map([["test", [tool]]]),
  };
}
