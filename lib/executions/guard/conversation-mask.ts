import type { Guard } from "../../engine/guardrails/guard.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import type { Json } from "../../values/json/json.ts";

/** Masks in a conversation what checks mask, wherever they are applied. */
export type ConversationMask = {
  value(value: Json): Json;
  messages(messages: readonly ModelMessage[]): readonly ModelMessage[];
};

/** Returns the mask of a guard. */
export const conversationMask = ({ mask }: Pick<Guard, "mask">): ConversationMask => ({
  value: mask,
  messages: (messages) => messages.map((message) => maskMessage(message, mask)),
});

const maskMessage = (message: ModelMessage, mask: Guard["mask"]): ModelMessage => {
  const maskText = (text: string) => toText(mask(text));
  switch (message.role) {
    case "user":
      return { ...message, text: maskText(message.text) };
    case "assistant": {
      const { role, text, toolCalls } = message;
      const masked = toolCalls.map((call) => ({ ...call, arguments: mask(call.arguments) }));
      return { role, text: maskText(text), toolCalls: masked };
    }
    case "tool": {
      const { role, results } = message;
      return { role, results: results.map((one) => ({ ...one, output: mask(one.output) })) };
    }
  }
};

const toText = (value: Json): string => (typeof value === "string" ? value : "");
