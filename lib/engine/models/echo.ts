import * as z from "zod";
import { formatValue } from "../../values/json/json.ts";
import { embedWords } from "./embed-words.ts";
import { listFileParts } from "./list-file-parts.ts";
import type {
  EmbedRequest,
  EmbedResult,
  FilePart,
  FileParts,
  GenerateRequest,
  GenerateResult,
  ModelMessage,
  ModelProvider,
  ToolCall,
} from "./model.ts";
import { freePrice } from "./price.ts";

const bytesPerToken = 4;

const Wish = z.object({
  call: z.object({ name: z.string(), arguments: z.record(z.string(), z.json()).default({}) }),
});

const generate = async (request: GenerateRequest): Promise<GenerateResult> => {
  const { messages, fileParts, system = "", signal, onDelta } = request;
  const toText = (message: ModelMessage) => toMessageText(message, fileParts);
  signal.throwIfAborted();
  const last = messages.at(-1);
  const toolCalls = last?.role === "user" ? wishedCalls(last.text, request) : [];
  const text = last && toolCalls.length === 0 ? toText(last) : "";
  if (onDelta) for (const [word] of text.matchAll(/\s*\S+|\s+/g)) onDelta(word);
  return {
    message: { role: "assistant", text, toolCalls },
    usage: {
      inputTokens: countTokens(system + messages.map(toText).join("")),
      outputTokens: countTokens(text + toCallsText(toolCalls)),
      cachedTokens: 0,
      thinkingTokens: 0,
    },
    finishReason: toolCalls.length > 0 ? "tool-calls" : "stop",
  };
};

const embed = async ({ texts, signal }: EmbedRequest): Promise<EmbedResult> => {
  signal.throwIfAborted();
  const inputTokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  return { vectors: texts.map(embedWords), inputTokens };
};

const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken);

const toMessageText = (message: ModelMessage, fileParts: FileParts | undefined): string => {
  switch (message.role) {
    case "user":
      return [message.text, ...listFileParts(message, fileParts).map(toPartText)].join("\n");
    case "assistant":
      return message.text + toCallsText(message.toolCalls);
    case "tool":
      return message.results.map(({ output }) => formatValue(output)).join("\n");
  }
};

const toPartText = (part: FilePart): string =>
  part.type === "text"
    ? part.text
    : `[${part.name} ${part.mediaType} ${part.content.length} bytes]`;

const toCallsText = (calls: readonly ToolCall[]): string =>
  calls.map(({ name, arguments: given }) => name + formatValue(given)).join("");

const wishedCalls = (
  prompt: string,
  { tools = [], messages }: Pick<GenerateRequest, "tools" | "messages">,
): ToolCall[] => {
  const wish = readWish(prompt);
  if (!wish || !tools.some(({ name }) => name === wish.name)) return [];
  return [{ id: `call-${messages.length}`, name: wish.name, arguments: wish.arguments }];
};

const readWish = (prompt: string) => {
  if (!prompt.trimStart().startsWith("{")) return undefined;
  try {
    return Wish.safeParse(JSON.parse(prompt)).data?.call;
  } catch {
    return undefined;
  }
};

/**
 * The built-in provider `echoModel`. Responds with the last message: the prompt, or a tool's result.
 * Streams word by word, with the white space before a word. Every started 4 UTF-8 bytes count as
 * one token: system and all messages are the input, the response is the output; nothing is cached
 * or thought. Costs nothing. The default model is `echo-1`.
 *
 * Calls a tool for a prompt that is the JSON object `{"call": {"name": …, "arguments": {…}}}` with
 * the name of an offered tool. An output schema changes nothing: a prompt that is JSON is returned
 * as the object.
 *
 * Takes files of all kinds: the response has a line after the prompt for every file, such as
 * `[photo.png image/png 1234 bytes]`, or its text.
 *
 * Embeds texts by their words: see `embedWords`.
 */
export const echoModel: ModelProvider = {
  defaultModel: "echo-1",
  generate,
  embed,
  takes: () => "yes",
  price: async () => freePrice,
};
