import { openaiError } from "./openai-error.ts";
import { event, type ModelReply, type Wire } from "./wire.ts";

const finishReasons = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
} as const;

const toUsage = ({ usage }: ModelReply) => {
  const prompt = usage.inputTokens + usage.cachedTokens;
  const completion = usage.outputTokens + usage.thinkingTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.thinkingTokens },
  };
};

const toToolCall = (call: ModelReply["calls"][number]) => ({
  id: call.id,
  type: "function",
  function: { name: call.name, arguments: call.json },
});

/** Chat Completions of OpenAI and compatible servers. */
export const chatCompletions: Wire = {
  matches: (path) => path.endsWith("/chat/completions"),
  isStreamed: ({ body }) => body.stream === true,
  streamType: "text/event-stream",
  error: openaiError,
  errorChunk: (error) => event(openaiError(error).body),
  whole: (reply) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_763_596_800,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: reply.text === "" ? null : reply.text,
          ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
          ...(reply.calls.length > 0 && { tool_calls: reply.calls.map(toToolCall) }),
        },
        finish_reason: finishReasons[reply.finish],
      },
    ],
    usage: toUsage(reply),
  }),
  chunks: (reply, { body }) => {
    const chunk = (delta: unknown, finish: string | null = null) => ({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_763_596_800,
      model: reply.model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const options = body.stream_options;
    const includesUsage = JSON.stringify(options ?? {}).includes('"include_usage":true');
    return [
      chunk({ role: "assistant", content: "" }),
      ...(reply.reasoning === undefined ? [] : [chunk({ reasoning_content: reply.reasoning })]),
      ...reply.pieces.map((content) => chunk({ content })),
      ...reply.calls.map((call, index) => chunk({ tool_calls: [{ index, ...toToolCall(call) }] })),
      chunk({}, finishReasons[reply.finish]),
      ...(includesUsage ? [{ ...chunk({}), choices: [], usage: toUsage(reply) }] : []),
    ]
      .map((data) => event(data))
      .concat("data: [DONE]\n\n");
  },
};
