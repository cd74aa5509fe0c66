import { openaiError } from "./openai-error.ts";
import { event, type ModelReply, type Wire } from "./wire.ts";

const toUsage = ({ usage }: ModelReply) => {
  const input = usage.inputTokens + usage.cachedTokens;
  const output = usage.outputTokens + usage.thinkingTokens;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cachedTokens },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.thinkingTokens },
    total_tokens: input + output,
  };
};

const toItems = ({ reasoning, text, calls }: ModelReply) => [
  ...(reasoning === undefined
    ? []
    : [
        {
          type: "reasoning",
          id: "rs_1",
          encrypted_content: "sealed-reasoning",
          summary: [{ type: "summary_text", text: reasoning }],
        },
      ]),
  ...(text === ""
    ? []
    : [
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ]),
  ...calls.map((call, at) => ({
    type: "function_call",
    id: `fc_${at + 1}`,
    call_id: call.id,
    name: call.name,
    arguments: call.json,
    status: "completed",
  })),
];

const toResponse = (reply: ModelReply) => {
  const isCut = reply.finish === "length" || reply.finish === "content-filter";
  const reason = reply.finish === "length" ? "max_output_tokens" : "content_filter";
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_763_596_800,
    status: isCut ? "incomplete" : "completed",
    error: null,
    incomplete_details: isCut ? { reason } : null,
    model: reply.model,
    output: toItems(reply),
    usage: toUsage(reply),
  };
};

const itemEvents = (item: ReturnType<typeof toItems>[number], at: number, reply: ModelReply) => {
  const { id, type } = item;
  const added = { ...item, ...("arguments" in item && { arguments: "" }) };
  const position = { item_id: id, output_index: at };
  const inner = () => {
    if (type === "message") {
      return reply.pieces.map((delta) => ({
        type: "response.output_text.delta",
        ...position,
        content_index: 0,
        delta,
      }));
    }
    if (type === "reasoning") {
      return [
        { type: "response.reasoning_summary_part.added", ...position, summary_index: 0 },
        {
          type: "response.reasoning_summary_text.delta",
          ...position,
          summary_index: 0,
          delta: reply.reasoning,
        },
        { type: "response.reasoning_summary_part.done", ...position, summary_index: 0 },
      ];
    }
    const delta = "arguments" in item ? item.arguments : "";
    return [{ type: "response.function_call_arguments.delta", ...position, delta }];
  };
  return [
    { type: "response.output_item.added", output_index: at, item: added },
    ...inner(),
    { type: "response.output_item.done", output_index: at, item },
  ];
};

/** OpenAI's Responses API (platform.openai.com/docs/api-reference/responses). */
export const openaiResponses: Wire = {
  matches: (path) => path.endsWith("/responses"),
  isStreamed: ({ body }) => body.stream === true,
  streamType: "text/event-stream",
  error: openaiError,
  errorChunk: (error) =>
    event({ ...openaiError(error).body.error, type: "error", sequence_number: 9 }, "error"),
  whole: toResponse,
  chunks: (reply) => {
    const response = toResponse(reply);
    const inProgress = { ...response, status: "in_progress", output: [], usage: null };
    const last = response.status === "incomplete" ? "response.incomplete" : "response.completed";
    return [
      { type: "response.created", response: inProgress },
      ...response.output.flatMap((item, at) => itemEvents(item, at, reply)),
      { type: last, response },
    ].map((data, at) => event({ ...data, sequence_number: at }, data.type));
  },
};
