import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { formatValue, isRecord } from "../../values/json/json.ts";
import type { AssistantMessage, GenerateRequest, ModelMessage } from "./model.ts";
import { readRaw } from "./raw-message.ts";

/** Maps a conversation to the AI SDK's form. */
export const toPrompt = (
  { system, messages }: Pick<GenerateRequest, "system" | "messages">,
  madeBy: string,
): LanguageModelV4Prompt => [
  ...(system === undefined || system === "" ? [] : [{ role: "system" as const, content: system }]),
  ...messages.map((message) => toMessage(message, madeBy)),
];

const toMessage = (message: ModelMessage, madeBy: string): LanguageModelV4Message => {
  switch (message.role) {
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text }] };
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
