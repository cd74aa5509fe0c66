import { event, type ModelReply, type Wire } from "./wire.ts";

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

/** Google's generateContent (ai.google.dev/api/generate-content). */
export const googleGenerate: Wire = {
  matches: (path) => /:(streamG|g)enerateContent(\?|$)/.test(path),
  isStreamed: ({ path }) => path.includes(":streamGenerateContent"),
  streamType: "text/event-stream",
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
