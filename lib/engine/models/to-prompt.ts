import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { formatValue, isRecord } from "../../values/json/json.ts";
import { listFileParts } from "./list-file-parts.ts";
import type {
  AssistantMessage,
  FilePart,
  FileParts,
  GenerateRequest,
  ModelMessage,
  UserMessage,
} from "./model.ts";
import { readRaw } from "./raw-message.ts";

/** Marks of a prompt for a cache. */
export type PromptMark = {
  readonly providerOptions: SharedV4ProviderOptions;
  readonly systemOnly: boolean;
  /** Number of the messages of earlier turns of a session. */
  readonly recalled: number;
};

/** Maps a conversation to the AI SDK's form. */
export const toPrompt = (
  { system, messages, fileParts }: Pick<GenerateRequest, "system" | "messages" | "fileParts">,
  madeBy: string,
  mark?: PromptMark,
): LanguageModelV4Prompt => {
  const marked = mark && !mark.systemOnly ? findMarked(messages, mark.recalled) : new Set();
  const options = mark && { providerOptions: mark.providerOptions };
  return [
    ...(system === undefined || system === ""
      ? []
      : [{ role: "system" as const, content: system, ...options }]),
    ...messages.map((message, at) => ({
      ...toMessage(message, madeBy, fileParts),
      ...(marked.has(at) && options),
    })),
  ];
};

/**
 * Finds the messages up to which a service caches, at most three; the system message is the fourth that services allow: the
 * earlier turns of the session, what the previous request sent, and this request.
 */
const findMarked = (messages: readonly ModelMessage[], recalled: number): ReadonlySet<unknown> => {
  const last = messages.length - 1;
  const before = messages.findLastIndex(({ role }) => role === "assistant") - 1;
  return new Set([recalled - 1, before, last].filter((at) => at >= 0));
};

const toMessage = (
  message: ModelMessage,
  madeBy: string,
  fileParts: FileParts | undefined,
): LanguageModelV4Message => {
  switch (message.role) {
    case "user":
      return { role: "user", content: toUserContent(message, fileParts) };
    case "assistant":
      return {
        role: "assistant",
        content: readRaw(message.raw, madeBy) ?? toContent(message),
      };
    case "tool":
      return {
        role: "tool",
        content: message.results.map(({ id, name, output, isError }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: { type: isError ? "error-text" : "text", value: formatValue(output) },
        })),
      };
  }
};

/** Files come before the text, which is about them. */
const toUserContent = (message: UserMessage, fileParts: FileParts | undefined) => {
  const files = listFileParts(message, fileParts).map(toFilePart);
  const text = { type: "text" as const, text: message.text };
  return files.length > 0 && message.text === "" ? files : [...files, text];
};

const toFilePart = (part: FilePart): LanguageModelV4TextPart | LanguageModelV4FilePart => {
  if (part.type === "text") return part;
  const { name: filename, mediaType, content } = part;
  // The packages convert bytes to base64 one by one.
  const data = { type: "data" as const, data: Buffer.from(content).toString("base64") };
  return { type: "file", filename, mediaType, data };
};

/** Maps a message of another service, without its own form. */
const toContent = ({ text, toolCalls }: AssistantMessage) => [
  ...(text === "" ? [] : [{ type: "text" as const, text }]),
  ...toolCalls.map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: call.name,
    input: isRecord(call.arguments) ? call.arguments : {},
  })),
];
