import { addCosts, addTokens, noCost, noTokens } from "../models/sums.ts";
import type { Span, UsageEntry } from "./flow-result.ts";

/** The type of the spans of calls to models; only these count. The Prompt around them shows their sum. */
export const modelCallType = "Model";

/** The tokens and the cost of all calls to models, summed for each model of each provider. */
export function sumUsage(spans: readonly Span[]): readonly UsageEntry[] {
  const entries = new Map<string, UsageEntry>();
  for (const { type, usage, cost, providerId, modelId } of spans) {
    if (type !== modelCallType || !usage || providerId === null || modelId === null) continue;
    const key = JSON.stringify([providerId, modelId]);
    const sum = entries.get(key);
    entries.set(key, {
      providerId,
      modelId,
      tokens: addTokens(sum?.tokens ?? noTokens, usage),
      cost: addCosts(sum?.cost ?? noCost, cost ?? noCost),
    });
  }
  return [...entries.values()];
}
