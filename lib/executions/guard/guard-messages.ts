import type { Guard } from "../../engine/guardrails/guard.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import type { Json } from "../../values/json/json.ts";

/** Masks in messages of a conversation with a model what checks mask. */
export const guardMessages = (
  messages: readonly ModelMessage[],
  { mask }: Guard,
): readonly ModelMessage[] => messages.map((message) => maskMessage(message, mask));

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
