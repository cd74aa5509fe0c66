import { crc32 } from "node:zlib";
import type { ModelReply, ServiceError, Wire } from "./wire.ts";

const stopReasons = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "content_filtered",
  "tool-calls": "tool_use",
} as const;

const toUsage = ({ usage }: ModelReply) => ({
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens + usage.thinkingTokens,
  totalTokens: Object.values(usage).reduce((sum, count) => sum + count, 0),
  cacheReadInputTokens: usage.cachedTokens,
  cacheWriteInputTokens: usage.cacheWriteTokens,
});

const toBlocks = ({ reasoning, text, calls }: ModelReply) => [
  ...(reasoning === undefined
    ? []
    : [{ reasoningContent: { reasoningText: { text: reasoning, signature: "signed" } } }]),
  ...(text === "" ? [] : [{ text }]),
  ...calls.map((call) => ({
    toolUse: { toolUseId: call.id, name: call.name, input: call.arguments },
  })),
];

const header = (name: string, value: string): Buffer => {
  const type = 7; // a string
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([type]),
    length,
    Buffer.from(value),
  ]);
};

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Encodes a message as AWS's event stream: lengths, their CRC, headers, payload, CRC of all. */
const message = (type: string, payload: unknown, kind = "event"): Buffer => {
  const headers = Buffer.concat([
    header(`:${kind}-type`, type),
    header(":content-type", "application/json"),
    header(":message-type", kind),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.concat([
    number(headers.length + body.length + 16),
    number(headers.length),
  ]);
  const all = Buffer.concat([lengths, number(crc32(lengths)), headers, body]);
  return Buffer.concat([all, number(crc32(all))]);
};

const blockMessages = (
  block: ReturnType<typeof toBlocks>[number],
  contentBlockIndex: number,
  { pieces }: ModelReply,
) => {
  const delta = (value: unknown) =>
    message("contentBlockDelta", { contentBlockIndex, delta: value });
  const stop = message("contentBlockStop", { contentBlockIndex });
  if ("text" in block) return [...pieces.map((text) => delta({ text })), stop];
  if ("toolUse" in block) {
    const { toolUseId, name, input } = block.toolUse;
    const start = { contentBlockIndex, start: { toolUse: { toolUseId, name } } };
    return [
      message("contentBlockStart", start),
      delta({ toolUse: { input: JSON.stringify(input) } }),
      stop,
    ];
  }
  const { text, signature } = block.reasoningContent.reasoningText;
  return [delta({ reasoningContent: { text } }), delta({ reasoningContent: { signature } }), stop];
};

const errors: Record<ServiceError, readonly [number, type: string, string]> = {
  throttled: [429, "throttlingException", "Too many requests, please wait before trying again."],
  "out of quota": [429, "throttlingException", "Too many tokens per day, please wait."],
  overloaded: [503, "serviceUnavailableException", "The model is overloaded, please try again."],
  failed: [500, "internalServerException", "The system encountered an unexpected error."],
  "context exceeded": [400, "validationException", "Input is too long for requested model."],
  "harmful prompt": [400, "validationException", "The prompt was blocked by the content policy"],
  "bad request": [400, "validationException", "1 validation error detected"],
};

/** Bedrock's Converse and ConverseStream (docs.aws.amazon.com/bedrock, API reference). */
export const bedrockConverse: Wire = {
  matches: (path) => /\/model\/[^/]+\/converse(-stream)?$/.test(path),
  isStreamed: ({ path }) => path.endsWith("/converse-stream"),
  streamType: "application/vnd.amazon.eventstream",
  error: (error) => {
    const [status, , text] = errors[error];
    return { status, body: { message: text } };
  },
  errorChunk: (error) => {
    const [, type, text] = errors[error];
    return message(type, { message: text }, "exception");
  },
  whole: (reply) => ({
    output: { message: { role: "assistant", content: toBlocks(reply) } },
    stopReason: stopReasons[reply.finish],
    usage: toUsage(reply),
    metrics: { latencyMs: 1 },
  }),
  chunks: (reply) => [
    message("messageStart", { role: "assistant" }),
    ...toBlocks(reply).flatMap((block, at) => blockMessages(block, at, reply)),
    message("messageStop", { stopReason: stopReasons[reply.finish] }),
    message("metadata", { usage: toUsage(reply), metrics: { latencyMs: 1 } }),
  ],
};
