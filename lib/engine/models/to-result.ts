import type { LanguageModelV4Content, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { GenerateResult, TokenCounts, ToolCall } from "./model.ts";
import { readArguments, toRaw } from "./raw-message.ts";
import type { WholeAnswer } from "./read-stream.ts";

/** An answer of the AI SDK as a model's answer. Throws when it broke off. */
export function toResult(answer: WholeAnswer, optionsName: string): GenerateResult {
  const { content, structuredOutputText, usage } = answer;
  const toolCalls = content.flatMap(toToolCall);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return {
    message: {
      role: "assistant",
      text: structuredOutputText ?? text,
      toolCalls,
      raw: toRaw(content, optionsName),
    },
    usage: toTokenCounts(usage),
    finishReason: toFinishReason(answer.finishReason.unified, toolCalls),
  };
}

function toToolCall(part: LanguageModelV4Content): ToolCall[] {
  if (part.type !== "tool-call") return [];
  return [{ id: part.toolCallId, name: part.toolName, arguments: readArguments(part.input) }];
}

function toFinishReason(
  reason: WholeAnswer["finishReason"]["unified"],
  toolCalls: readonly ToolCall[],
): GenerateResult["finishReason"] {
  switch (reason) {
    case "stop":
      // Some servers say that they stopped when they call a tool.
      return toolCalls.length > 0 ? "tool-calls" : "stop";
    case "error":
    case "interrupted":
      throw new Error("the answer broke off");
    default:
      return reason;
  }
}

/** More tokens than any one call takes. */
const mostTokens = 1_000_000_000;

/** Counts each token under one kind; what was written to a cache is input. What is not reported is 0. */
function toTokenCounts({
  inputTokens: read,
  outputTokens: made,
}: LanguageModelV4Usage): TokenCounts {
  const cachedTokens = toCount(read.cacheRead);
  const thinkingTokens = toCount(made.reasoning);
  return {
    inputTokens: Math.max(0, toCount(read.total) - cachedTokens),
    outputTokens: Math.max(0, toCount(made.total) - thinkingTokens),
    cachedTokens,
    thinkingTokens,
  };
}

/** A server may report anything: what is stored is an integer that adds up, and never pays back. */
function toCount(reported: number | undefined): number {
  if (reported === undefined || !Number.isFinite(reported) || reported <= 0) return 0;
  return Math.min(Math.round(reported), mostTokens);
}
