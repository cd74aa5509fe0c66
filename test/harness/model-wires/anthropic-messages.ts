import { event, type ModelReply, type Wire } from "./wire.ts";

const stopReasons = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
  "tool-calls": "tool_use",
} as const;

const toUsage = ({ usage }: ModelReply) => ({
  input_tokens: usage.inputTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_creation: {
    ephemeral_5m_input_tokens: usage.cacheWriteTokens - usage.cacheWriteHourTokens,
    ephemeral_1h_input_tokens: usage.cacheWriteHourTokens,
  },
  cache_read_input_tokens: usage.cachedTokens,
  output_tokens: usage.outputTokens + usage.thinkingTokens,
  ...(usage.thinkingTokens > 0 && {
    output_tokens_details: { thinking_tokens: usage.thinkingTokens },
  }),
});

const toBlocks = ({ reasoning, text, calls }: ModelReply) => [
  ...(reasoning === undefined
    ? []
    : [{ type: "thinking" as const, thinking: reasoning, signature: "signed-thinking" }]),
  ...(text === "" ? [] : [{ type: "text" as const, text }]),
  ...calls.map((call) => ({
    type: "tool_use" as const,
    id: call.id,
    name: call.name,
    input: call.arguments,
  })),
];

const blockEvents = (
  block: ReturnType<typeof toBlocks>[number],
  index: number,
  { pieces }: ModelReply,
) => {
  const delta = (value: unknown) => ({ type: "content_block_delta", index, delta: value });
  const start = (value: unknown) => ({ type: "content_block_start", index, content_block: value });
  const stop = { type: "content_block_stop", index };
  switch (block.type) {
    case "thinking":
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        delta({ type: "thinking_delta", thinking: block.thinking }),
        delta({ type: "signature_delta", signature: block.signature }),
        stop,
      ];
    case "text":
      return [
        start({ type: "text", text: "" }),
        ...pieces.map((text) => delta({ type: "text_delta", text })),
        stop,
      ];
    case "tool_use":
      return [
        start({ ...block, input: {} }),
        delta({ type: "input_json_delta", partial_json: JSON.stringify(block.input) }),
        stop,
      ];
  }
};

/** Anthropic's Messages API (docs.anthropic.com/en/api/messages). */
export const anthropicMessages: Wire = {
  matches: (path) => path.endsWith("/messages"),
  isStreamed: ({ body }) => body.stream === true,
  streamType: "text/event-stream",
  whole: (reply) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: reply.model,
    content: toBlocks(reply),
    stop_reason: stopReasons[reply.finish],
    stop_sequence: null,
    usage: toUsage(reply),
  }),
  chunks: (reply) => {
    const usage = toUsage(reply);
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: reply.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    };
    return [
      { type: "message_start", message },
      ...toBlocks(reply).flatMap((block, at) => blockEvents(block, at, reply)),
      {
        type: "message_delta",
        delta: { stop_reason: stopReasons[reply.finish], stop_sequence: null },
        usage,
      },
      { type: "message_stop" },
    ].map((data) => event(data, data.type));
  },
};
