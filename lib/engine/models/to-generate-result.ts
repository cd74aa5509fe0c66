import type { LanguageModelV4Content, LanguageModelV4Usage } from "@ai-sdk/provider";
import * as z from "zod";
import type { GenerateResult, PricedTokens, ToolCall } from "./model.ts";
import { readArguments, toRaw } from "./raw-message.ts";
import type { CompleteResponse } from "./read-stream.ts";

/** A response is untrusted: its model is shown in traces. */
const maxModelIdLength = 200;

/** Maps the AI SDK's result to a model's response. Throws when the stream ended early. */
export const toGenerateResult = (response: CompleteResponse, madeBy: string): GenerateResult => {
  const { content, structuredOutputText, usage } = response;
  const toolCalls = content.flatMap(toToolCall);
  const responseModelId = response.response?.modelId?.slice(0, maxModelIdLength);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return {
    message: {
      role: "assistant",
      text: structuredOutputText ?? text,
      toolCalls,
      raw: toRaw(content, madeBy),
    },
    usage: toTokenCounts(usage),
    finishReason: toFinishReason(response.finishReason.unified, toolCalls),
    ...(responseModelId && { responseModelId }),
  };
};

const toToolCall = (part: LanguageModelV4Content): ToolCall[] => {
  if (part.type !== "tool-call") return [];
  return [{ id: part.toolCallId, name: part.toolName, arguments: readArguments(part.input) }];
};

const toFinishReason = (
  reason: CompleteResponse["finishReason"]["unified"],
  toolCalls: readonly ToolCall[],
): GenerateResult["finishReason"] => {
  switch (reason) {
    case "stop":
      // Some servers report "stop" when they call a tool.
      return toolCalls.length > 0 ? "tool-calls" : "stop";
    case "error":
    case "interrupted":
      throw new Error("the response broke off");
    default:
      return reason;
  }
};

/** More tokens than any single call uses. */
const maxTokens = 1_000_000_000;

/** The part of Anthropic's usage with the cache durations of tokens. */
const RawUsage = z.object({
  cache_creation: z.object({ ephemeral_1h_input_tokens: z.number() }),
});

/** Counts each token under one kind; cache writes are input. Unreported counts are 0. */
const toTokenCounts = ({
  inputTokens: read,
  outputTokens: made,
  raw,
}: LanguageModelV4Usage): PricedTokens => {
  const cachedTokens = toCount(read.cacheRead);
  const thinkingTokens = toCount(made.reasoning);
  const inputTokens = Math.max(0, toCount(read.total) - cachedTokens);
  const cacheWriteTokens = Math.min(inputTokens, toCount(read.cacheWrite));
  const kept = RawUsage.safeParse(raw).data?.cache_creation.ephemeral_1h_input_tokens;
  const cacheWriteHourTokens = Math.min(cacheWriteTokens, toCount(kept));
  return {
    inputTokens,
    outputTokens: Math.max(0, toCount(made.total) - thinkingTokens),
    cachedTokens,
    thinkingTokens,
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(cacheWriteHourTokens > 0 && { cacheWriteHourTokens }),
  };
};

/** Converts a reported count, which may be anything, to a non-negative safe integer. */
const toCount = (reported: number | undefined): number => {
  if (reported === undefined || !Number.isFinite(reported) || reported <= 0) return 0;
  return Math.min(Math.round(reported), maxTokens);
};
