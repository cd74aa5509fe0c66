import { formatCompletionId, formatModel } from "./ids.ts";
import type { ChatCompletion, CompletionUsage } from "./schemas.ts";
import { type ShownExecution, toSeconds } from "./to-response.ts";

/** Members that a chat completion and its chunks have. */
export const completionHead = (execution: ShownExecution) => ({
  id: formatCompletionId(execution),
  created: toSeconds(execution.startTime),
  model: formatModel(execution),
});

/** Builds the chat completion of an execution. */
export const toCompletion = (
  execution: ShownExecution,
  content: string,
  isCut: boolean,
): ChatCompletion => ({
  ...completionHead(execution),
  object: "chat.completion",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content, refusal: null },
      logprobs: null,
      finish_reason: isCut ? "length" : "stop",
    },
  ],
  usage: toUsage(execution),
});

/** Counts tokens as OpenAI does: those of a cache are part of the prompt, and reasoning is part of the completion. */
const toUsage = ({ usage }: ShownExecution): CompletionUsage => {
  const { inputTokens, outputTokens, cachedTokens, thinkingTokens } = usage;
  const [prompt, completion] = [inputTokens + cachedTokens, outputTokens + thinkingTokens];
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: thinkingTokens },
  };
};
