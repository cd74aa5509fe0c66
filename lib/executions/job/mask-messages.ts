import type { ModelMessage } from "../../engine/models/model.ts";
import { maskInText, maskInValue } from "./masks.ts";

/** Masks secrets in messages of a conversation with a model. */
export const maskMessages = (
  messages: readonly ModelMessage[],
  secrets: readonly string[],
): readonly ModelMessage[] =>
  secrets.length === 0 ? messages : messages.map((message) => maskMessage(message, secrets));

const maskMessage = (message: ModelMessage, secrets: readonly string[]): ModelMessage => {
  switch (message.role) {
    case "user":
      return { ...message, text: maskInText(message.text, secrets) };
    case "assistant": {
      const { role, text, toolCalls } = message;
      const masked = toolCalls.map((call) => ({
        ...call,
        arguments: maskInValue(call.arguments, secrets),
      }));
      return { role, text: maskInText(text, secrets), toolCalls: masked };
    }
    case "tool": {
      const { role, results } = message;
      const masked = results.map((result) => ({
        ...result,
        output: maskInValue(result.output, secrets),
      }));
      return { role, results: masked };
    }
  }
};
