import { type Guard, maskText } from "../../engine/guardrails/guard.ts";
import type { ModelMessage } from "../../engine/models/model.ts";

/** Masks in messages of a conversation with a model what checks mask. */
export const guardMessages = (
  messages: readonly ModelMessage[],
  guard: Guard,
): readonly ModelMessage[] => messages.map((message) => maskMessage(message, guard));

const maskMessage = (message: ModelMessage, guard: Guard): ModelMessage => {
  const { mask } = guard;
  switch (message.role) {
    case "user":
      return { ...message, text: maskText(guard, message.text) };
    case "assistant": {
      const { role, text, toolCalls } = message;
      const masked = toolCalls.map((call) => ({ ...call, arguments: mask(call.arguments) }));
      return { role, text: maskText(guard, text), toolCalls: masked };
    }
    case "tool": {
      const { role, results } = message;
      return { role, results: results.map((one) => ({ ...one, output: mask(one.output) })) };
    }
  }
};
