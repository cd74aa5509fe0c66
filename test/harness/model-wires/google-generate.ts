import { event, type ModelReply, type ServiceError, type Wire } from "./wire.ts";

const finishReasons = {
  stop: "STOP",
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
  "tool-calls": "STOP",
} as const;

const part = (parts: readonly unknown[], reply: ModelReply, isLast: boolean) => ({
  candidates: [
    {
      index: 0,
      content: { role: "model", parts },
      ...(isLast && { finishReason: finishReasons[reply.finish] }),
    },
  ],
  usageMetadata: {
    promptTokenCount: reply.usage.inputTokens + reply.usage.cachedTokens,
    cachedContentTokenCount: reply.usage.cachedTokens,
    candidatesTokenCount: reply.usage.outputTokens,
    thoughtsTokenCount: reply.usage.thinkingTokens,
    totalTokenCount: Object.values(reply.usage).reduce((sum, count) => sum + count, 0),
  },
  modelVersion: reply.model,
});

const toThoughts = ({ reasoning }: ModelReply) =>
  reasoning === undefined ? [] : [{ text: reasoning, thought: true }];

const toCalls = ({ calls }: ModelReply) =>
  calls.map((call) => ({
    functionCall: { name: call.name, args: call.arguments },
    thoughtSignature: "signed-thought",
  }));

const errors: Record<ServiceError, readonly [number, status: string, string]> = {
  throttled: [429, "RESOURCE_EXHAUSTED", "Resource has been exhausted"],
  "out of quota": [429, "RESOURCE_EXHAUSTED", "You exceeded your current quota"],
  overloaded: [503, "UNAVAILABLE", "The model is overloaded. Please try again later."],
  failed: [500, "INTERNAL", "An internal error has occurred"],
  "context exceeded": [
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ],
  "harmful prompt": [400, "INVALID_ARGUMENT", "The prompt was blocked: PROHIBITED_CONTENT"],
  "bad request": [400, "INVALID_ARGUMENT", "Invalid value at 'generation_config'"],
};

const quotas: Partial<Record<ServiceError, string>> = {
  throttled: "GenerateRequestsPerMinutePerProjectPerModel",
  "out of quota": "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
};

const toError = (error: ServiceError) => {
  const [code, status, message] = errors[error];
  const quotaId = quotas[error];
  const details = quotaId === undefined ? [] : [{ violations: [{ quotaId }] }];
  return { status: code, body: { error: { code, message, status, details } } };
};

/** Google's generateContent (ai.google.dev/api/generate-content). */
export const googleGenerate: Wire = {
  matches: (path) => /:(streamG|g)enerateContent(\?|$)/.test(path),
  isStreamed: ({ path }) => path.includes(":streamGenerateContent"),
  streamType: "text/event-stream",
  error: toError,
  errorChunk: (error) => event(toError(error).body),
  whole: (reply) =>
    part(
      [
        ...toThoughts(reply),
        ...(reply.text === "" ? [] : [{ text: reply.text }]),
        ...toCalls(reply),
      ],
      reply,
      true,
    ),
  chunks: (reply) =>
    [
      ...toThoughts(reply).map((thought) => part([thought], reply, false)),
      ...reply.pieces.map((text) => part([{ text }], reply, false)),
      part(toCalls(reply), reply, true),
    ].map((data) => event(data)),
};
