import type { ModelMessage } from "../../lib/engine/models/model.ts";
import type { ProviderType } from "../../lib/engine/models/provider-settings.ts";
import { createRemoteProvider } from "../../lib/engine/models/remote-provider.ts";
import { isRecord, type Json } from "../../lib/values/json/json.ts";
import { depsWithModel, run, textResult, toolsWith } from "./flow.ts";
import type { ModelServer, Scripted } from "./model-server.ts";

const paths: Record<ProviderType, string> = {
  openai: "/v1",
  anthropic: "/v1",
  google: "/v1beta",
  bedrock: "",
  "openai-compatible": "/v1",
};

/** A conversation of a Prompt with a model, which calls a tool in each turn but the last. */
export type Conversation = {
  readonly type: ProviderType;
  readonly model: string;
  readonly system?: string;
  readonly prompt?: string;
  /** Arguments of the model's calls, and results of the tool. */
  readonly turns: readonly { readonly text: string; readonly result: Json }[];
  readonly reasoning?: string;
  readonly cache?: "auto" | "off";
  readonly parameters?: Readonly<Record<string, Json>>;
  /** The messages of the session's earlier turns; absent without a session. */
  readonly earlier?: readonly ModelMessage[];
  readonly hasTools?: boolean;
};

/** Runs a conversation with a model server; returns the bodies of its requests, and what the session keeps of it. */
export const converse = async (
  server: ModelServer,
  { type, model, system, prompt = "Go", turns, reasoning, ...options }: Conversation,
) => {
  const { cache, parameters, earlier, hasTools = true } = options;
  server.requests.length = 0;
  const thought = reasoning === undefined ? {} : { reasoning };
  const asks = turns.map(
    ({ text }): Scripted => ({ ...thought, toolCalls: [{ name: "tool", arguments: { text } }] }),
  );
  server.script(...asks, { text: "Done." });
  const results = turns.map(({ result }) => result);
  const provider = createRemoteProvider(
    {
      id: "main",
      type,
      baseUrl: server.url + paths[type],
      region: type === "bedrock" ? "us-east-1" : null,
      defaultModel: model,
      apiKey: "k",
    },
    { allowPrivateAddresses: true },
  );
  const deps = depsWithModel(async () => textResult(""), {
    models: { resolve: async () => provider },
    tools: toolsWith(async () => ({ output: results.shift() ?? null })),
  });
  let exchange: readonly ModelMessage[] = [];
  const step = {
    id: "ask",
    type: "Prompt",
    llm: { providerId: "main", parameters, cache },
    system,
    prompt,
    maxTurns: 50,
    ...(hasTools && { tools: [{ integrationId: "test", toolId: "tool" }] }),
  };
  const { status, error } = await run([step], [], {
    deps,
    ...(earlier && { session: { recall: async () => earlier } }),
    onStepCompleted: async (outcome) => {
      exchange = outcome.exchange ?? [];
    },
  });
  if (status !== "Succeeded") throw new Error(JSON.stringify(error));
  return { bodies: server.requests.map(({ body }) => body), exchange };
};

const isMark = (name: string, value: unknown): boolean =>
  name === "cache_control" ||
  (typeof value === "object" && value !== null && "cachePoint" in value);

const withoutMarks = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((item) => !isMark("", item)).map(withoutMarks);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isMark(name, member))
      .map(([name, member]) => [name, withoutMarks(member)]),
  );
};

/** Splits a request's body, without its marks, in its messages and the rest. */
export const splitBody = (body: Record<string, unknown>): { messages: string; rest: string } => {
  const { messages, contents, input, ...rest } = body;
  return {
    messages: JSON.stringify(withoutMarks(messages ?? contents ?? input)).slice(0, -1),
    rest: JSON.stringify(withoutMarks(rest)),
  };
};

/** Counts the marks in a body. */
export const countMarks = (body: unknown): number =>
  JSON.stringify(body).match(/"cache_control":|"cachePoint":/g)?.length ?? 0;

const bytesPerToken = 4;

/** Input of a request by how it is priced. */
export type MeteredInput = { inputTokens: number; cachedTokens: number; cacheWriteTokens: number };

type Block = { text: string; isMarked: boolean };

/** Lists the blocks of a request of Anthropic in the order in which they are cached: tools, system, messages. */
const listBlocks = ({ tools, system, messages }: Record<string, unknown>): Block[] => {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const contents = list(messages).flatMap((message) =>
    isRecord(message) ? list(message.content) : [],
  );
  return [...list(tools), ...list(system), ...contents].map((block) => ({
    text: JSON.stringify(withoutMarks(block)),
    isMarked: countMarks(block) > 0,
  }));
};

/** Meters requests as Anthropic does: a request reads the longest beginning that an earlier one wrote, and writes up to its last mark. */
export const meterCache = (bodies: readonly Record<string, unknown>[]): MeteredInput[] => {
  const written = new Set<string>();
  return bodies.map((body) => {
    const blocks = listBlocks(body);
    const ends = blocks.map((_, at) =>
      blocks
        .slice(0, at + 1)
        .map(({ text }) => text)
        .join("\n"),
    );
    const total = ends.at(-1)?.length ?? 0;
    const marked = ends.filter((_, at) => blocks[at]?.isMarked);
    const read = Math.max(0, ...ends.filter((end) => written.has(end)).map(({ length }) => length));
    const upTo = Math.max(read, ...marked.map(({ length }) => length));
    for (const end of marked) written.add(end);
    return {
      inputTokens: Math.ceil((total - read) / bytesPerToken),
      cachedTokens: Math.floor(read / bytesPerToken),
      cacheWriteTokens: Math.ceil((upTo - read) / bytesPerToken),
    };
  });
};
