import type { Span, UsageEntry } from "./flow-result.ts";

/** The tokens of all spans, summed for each model of each provider. */
export function sumUsage(spans: readonly Span[]): readonly UsageEntry[] {
  const entries = new Map<string, UsageEntry>();
  for (const { usage, providerId, modelId } of spans) {
    if (!usage || providerId === null || modelId === null) continue;
    const key = JSON.stringify([providerId, modelId]);
    const sum = entries.get(key);
    entries.set(key, {
      providerId,
      modelId,
      inputTokens: (sum?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (sum?.outputTokens ?? 0) + usage.outputTokens,
      cachedTokens: (sum?.cachedTokens ?? 0) + usage.cachedTokens,
      thinkingTokens: (sum?.thinkingTokens ?? 0) + usage.thinkingTokens,
    });
  }
  return [...entries.values()];
}
