import type {
  AgentRunner,
  SubAgentCall,
  SubAgentDescription,
} from "../../lib/engine/flow/agent-runner.ts";
import { type CompiledFlow, compileFlow } from "../../lib/engine/flow/compile-flow.ts";
import type { FlowFiles } from "../../lib/engine/flow/files.ts";
import type { FlowOptions, FlowResult } from "../../lib/engine/flow/flow-result.ts";
import type { Knowledge } from "../../lib/engine/flow/knowledge.ts";
import { maxPromptFileBytes } from "../../lib/engine/flow/prompt/prompt-files.ts";
import { runFlow } from "../../lib/engine/flow/run-flow.ts";
import type { FlowSubAgent, FlowSurroundings } from "../../lib/engine/flow/step-type.ts";
import type { FlowFile } from "../../lib/engine/flow-file.ts";
import type {
  GenerateRequest,
  GenerateResult,
  ModelProvider,
  TokenCounts,
  ToolResult,
} from "../../lib/engine/models/model.ts";
import { createModelRegistry } from "../../lib/engine/models/registry.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import { textParameter } from "../../lib/engine/tools/system/text-parameter.ts";
import { type Tool, ToolError, type ToolRegistry } from "../../lib/engine/tools/tool.ts";
import { createByteRoom } from "../../lib/platform/runtime/byte-room.ts";
import type { Json } from "../../lib/values/json/json.ts";
import { testProcessor } from "./processor.ts";

/** Creates a clock that advances by 1 ms at each read. */
export const createTickingClock = (start = 1_000): (() => number) => {
  let now = start;
  return () => {
    now += 1;
    return now;
  };
};

/** Returns the options of a run with `echo`, the system tools and a fake clock. */
export const flowOptions = (options: Partial<FlowOptions> = {}): FlowOptions => ({
  input: {},
  parameters: {},
  trigger: { type: 0, id: "key", provider: null },
  execution: { id: "e1", agentId: "agent", agentRevision: 1, startTime: 1_000 },
  deps: {
    clock: createTickingClock(),
    models: createModelRegistry(),
    tools: createToolRegistry(),
  },
  processor: testProcessor(30_000),
  signal: new AbortController().signal,
  deadline: 1_000_000,
  defaultLlm: { providerId: "echo", parameters: {} },
  ...options,
});

/** Compiles a flow with edges such as "a>b", or "a!b" for one that is taken if a fails. Throws for an invalid one. */
export const compiled = (
  steps: readonly object[],
  edges: readonly string[] = [],
  surroundings: Partial<FlowSurroundings> = {},
): CompiledFlow => {
  const result = compileFlow(
    {
      steps,
      edges: edges.map((edge) => {
        const [source, target] = edge.split(/[>!]/);
        return { source, target, ...(edge.includes("!") && { on: "error" }) };
      }),
    },
    surroundings,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.flow;
};

/** Runs steps with edges such as "a>b" and "a!b". */
export const run = (
  steps: readonly object[],
  edges: readonly string[] = [],
  options: Partial<FlowOptions> & Partial<Pick<FlowSurroundings, "subAgents">> = {},
): Promise<FlowResult> => {
  const { subAgents = [], ...rest } = options;
  const { tools } = flowOptions(rest).deps;
  return runFlow(compiled(steps, edges, { tools, subAgents }), flowOptions(rest));
};

/** Usage of every response of `says` and `calls`; 10 dollars at the prices of `depsWithModel`. */
export const usage = { inputTokens: 3, outputTokens: 2, cachedTokens: 1, thinkingTokens: 4 };

/** Returns a model's text response. */
export const textResult = (text: string): GenerateResult => ({
  message: { role: "assistant", text, toolCalls: [] },
  usage,
  finishReason: "stop",
});

/** Returns a model's response that calls tools, such as `["calculate", {expression: "1+1"}]`. */
export const calls = (...wanted: readonly (readonly [string, Json])[]): GenerateResult => {
  const toolCalls = wanted.map(([name, given], at) => ({ id: `c${at}`, name, arguments: given }));
  const message = { role: "assistant" as const, text: "", toolCalls };
  return { message, usage, finishReason: "tool-calls" };
};

/** Returns the text of the first message, the prompt. */
export const readPrompt = ({ messages }: Pick<GenerateRequest, "messages">): string => {
  const [first] = messages;
  return first?.role === "user" ? first.text : "";
};

/** Returns dependencies with a fake provider `test`; each token costs a dollar. */
export const depsWithModel = (
  generate: ModelProvider["generate"],
  more: Partial<FlowOptions["deps"]> = {},
): FlowOptions["deps"] => {
  const price = async (_model: string, tokens: TokenCounts) => ({
    cost: {
      inputCost: tokens.inputTokens,
      outputCost: tokens.outputTokens,
      cachedCost: tokens.cachedTokens,
      thinkingCost: tokens.thinkingTokens,
      totalCost: Object.values(tokens).reduce((sum, count) => sum + count, 0),
    },
    priced: true,
  });
  const provider: ModelProvider = { defaultModel: "m", generate, price };
  const base = flowOptions().deps;
  const resolve = async (id: string) => (id === "test" ? provider : base.models.resolve(id));
  return { ...base, models: { resolve }, ...more };
};

/**
 * Returns a registry with an integration `test` that has one tool `tool` with a parameter `text`.
 */
export const toolsWith = (runTool: Tool["run"]): ToolRegistry => {
  const tool: Tool = {
    descriptor: {
      id: "tool",
      displayName: "Tool",
      description: "",
      actionType: "ReadOnly",
      resultType: "Json",
      parametersMetadata: [textParameter("text", "Any text.")],
    },
    run: runTool,
  };
  return {
    resolve: (integration, id) => (integration === "test" && id === "tool" ? tool : undefined),
    list: () => new Map([["test", [tool]]]),
  };
};

/** Returns knowledge with a search; nothing can be read unless `more` says how. */
export const knowledgeWith = (
  search: Knowledge["search"],
  more: Partial<Knowledge> = {},
): Knowledge => ({
  search,
  read: async ({ assetId }) => {
    throw new ToolError(`There is no asset "${assetId}".`);
  },
  ...more,
});

/** A file with content, and with the text of a document if it has one. */
export type TestFile = {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array | string;
  readonly text?: string;
};

/** Returns the reference of a file. */
export const toFlowFile = ({ id, name, mediaType, content }: TestFile): FlowFile => ({
  id,
  name,
  mediaType,
  bytes: Buffer.byteLength(content),
});

/** Returns the files of an execution, and the ids of those that were read, in order. Saved files are added. */
export const filesWith = (...given: readonly TestFile[]) => {
  const known = new Map(given.map((file) => [file.id, file]));
  const read: string[] = [];
  const files: FlowFiles = {
    room: createByteRoom(maxPromptFileBytes),
    find: async (id) => {
      const file = known.get(id);
      return file && toFlowFile(file);
    },
    read: async ({ id }) => {
      read.push(id);
      const file = known.get(id);
      return file && Buffer.from(file.content);
    },
    readText: async ({ id }) => {
      read.push(`text of ${id}`);
      const text = known.get(id)?.text;
      return text === undefined ? { ok: false, reason: "has no text" } : { ok: true, text };
    },
    save: async (file) => {
      const saved = { ...file, id: `saved-${known.size + 1}` };
      known.set(saved.id, saved);
      return toFlowFile(saved);
    },
  };
  return { files, read, known };
};

/** Returns sub-agents that all behave alike, in an execution `x1`. */
export const agentsWith = (
  work: (call: SubAgentCall) => Promise<Json>,
  description?: SubAgentDescription,
): AgentRunner => ({
  describe: async () => description,
  run: async (call) => ({ output: await work(call), executionId: "x1" }),
});

/** Returns a model with scripted responses, and the requests that it received. */
export const scripted = (...results: readonly GenerateResult[]) => {
  const requests: GenerateRequest[] = [];
  const generate = async (request: GenerateRequest) => {
    requests.push(request);
    return results[requests.length - 1] ?? textResult("nothing more to say");
  };
  return { requests, generate };
};

/** Returns the tool results that a model received last. */
export const resultsIn = (request: GenerateRequest | undefined): readonly ToolResult[] => {
  const last = request?.messages.at(-1);
  return last?.role === "tool" ? last.results : [];
};

/** Returns a Prompt step `ask` of the provider `test`. */
export const ask = (more: object = {}) => {
  const llm = { providerId: "test", parameters: { model: "m1" } };
  return { id: "ask", type: "Prompt", prompt: "go", llm, ...more };
};

/** The agent `weather` as a revision's sub-agent. */
export const weatherAgent: FlowSubAgent = {
  id: "use-weather",
  agentId: "weather",
  displayName: "Weather Report!",
  description: "Tells the weather.",
  parametersMetadata: [
    { ...textParameter("city", "Where."), required: true },
    { ...textParameter("days", "How many."), type: "Integer", integerRange: { min: 1, max: 9 } },
    { ...textParameter("key", "A key."), secret: true, defaultValue: "s3cret" },
  ],
};
