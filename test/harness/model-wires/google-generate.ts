import { event, type Spoken, type Wire } from "./wire.ts";

const finishReasons = {
  stop: "STOP",
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
  "tool-calls": "STOP",
} as const;

const part = (parts: readonly unknown[], spoken: Spoken, isLast: boolean) => ({
  candidates: [
    {
      index: 0,
      content: { role: "model", parts },
      ...(isLast && { finishReason: finishReasons[spoken.finish] }),
    },
  ],
  usageMetadata: {
    promptTokenCount: spoken.usage.inputTokens + spoken.usage.cachedTokens,
    cachedContentTokenCount: spoken.usage.cachedTokens,
    candidatesTokenCount: spoken.usage.outputTokens,
    thoughtsTokenCount: spoken.usage.thinkingTokens,
    totalTokenCount: Object.values(spoken.usage).reduce((sum, count) => sum + count, 0),
  },
  modelVersion: spoken.model,
});

const thoughtOf = ({ reasoning }: Spoken) =>
  reasoning === undefined ? [] : [{ text: reasoning, thought: true }];

const callsOf = ({ calls }: Spoken) =>
  calls.map((call) => ({
    functionCall: { name: call.name, args: call.arguments },
    thoughtSignature: "signed-thought",
  }));

/** Google's generateContent (ai.google.dev/api/generate-content). */
export const googleGenerate: Wire = {
  matches: (path) => /:(streamG|g)enerateContent(\?|$)/.test(path),
  isStreamed: ({ path }) => path.includes(":streamGenerateContent"),
  streamType: "text/event-stream",
  whole: (spoken) =>
    part(
      [
        ...thoughtOf(spoken),
        ...(spoken.text === "" ? [] : [{ text: spoken.text }]),
        ...callsOf(spoken),
      ],
      spoken,
      true,
    ),
  chunks: (spoken) =>
    [
      ...thoughtOf(spoken).map((thought) => part([thought], spoken, false)),
      ...spoken.pieces.map((text) => part([{ text }], spoken, false)),
      part(callsOf(spoken), spoken, true),
    ].map((each) => event(each)),
};
