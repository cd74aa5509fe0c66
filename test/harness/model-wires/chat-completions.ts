import { event, type Spoken, type Wire } from "./wire.ts";

const finishReasons = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
} as const;

const usageOf = ({ usage }: Spoken) => {
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

const callOf = (call: Spoken["calls"][number]) => ({
  id: call.id,
  type: "function",
  function: { name: call.name, arguments: call.json },
});

/** Chat Completions of OpenAI and compatible servers. */
export const chatCompletions: Wire = {
  matches: (path) => path.endsWith("/chat/completions"),
  isStreamed: ({ body }) => body.stream === true,
  streamType: "text/event-stream",
  whole: (spoken) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_763_596_800,
    model: spoken.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: spoken.text === "" ? null : spoken.text,
          ...(spoken.reasoning !== undefined && { reasoning_content: spoken.reasoning }),
          ...(spoken.calls.length > 0 && { tool_calls: spoken.calls.map(callOf) }),
        },
        finish_reason: finishReasons[spoken.finish],
      },
    ],
    usage: usageOf(spoken),
  }),
  chunks: (spoken, { body }) => {
    const chunk = (delta: unknown, finish: string | null = null) => ({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_763_596_800,
      model: spoken.model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const options = body.stream_options;
    const tellsUsage = JSON.stringify(options ?? {}).includes('"include_usage":true');
    return [
      chunk({ role: "assistant", content: "" }),
      ...(spoken.reasoning === undefined ? [] : [chunk({ reasoning_content: spoken.reasoning })]),
      ...spoken.pieces.map((content) => chunk({ content })),
      ...spoken.calls.map((call, index) => chunk({ tool_calls: [{ index, ...callOf(call) }] })),
      chunk({}, finishReasons[spoken.finish]),
      ...(tellsUsage ? [{ ...chunk({}), choices: [], usage: usageOf(spoken) }] : []),
    ]
      .map((each) => event(each))
      .concat("data: [DONE]\n\n");
  },
};
