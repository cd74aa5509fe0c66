import { event, type ModelReply, type ServiceError, type Wire } from "./wire.ts";

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

const errors: Record<ServiceError, readonly [number, type: string, string]> = {
  throttled: [429, "rate_limit_error", "This request would exceed your rate limit"],
  "out of quota": [429, "rate_limit_error", "You have exceeded your monthly quota"],
  overloaded: [529, "overloaded_error", "Overloaded"],
  failed: [500, "api_error", "Internal server error"],
  "context exceeded": [
    400,
    "invalid_request_error",
    "prompt is too long: 210000 tokens > 200000 maximum",
  ],
  "harmful prompt": [400, "invalid_request_error", "Output blocked by content filtering policy"],
  "bad request": [400, "invalid_request_error", "max_tokens: must be at least 1"],
};

const toError = (error: ServiceError) => {
  const [status, type, message] = errors[error];
  return { status, body: { type: "error", error: { type, message } } };
};

/** Anthropic's Messages API (docs.anthropic.com/en/api/messages). */
export const anthropicMessages: Wire = {
  matches: (path) => path.endsWith("/messages"),
  isStreamed: ({ body }) => body.stream === true,
  streamType: "text/event-stream",
  error: toError,
  errorChunk: (error) => event(toError(error).body, "error"),
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
