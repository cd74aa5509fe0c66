import { StepError } from "../step-error.ts";
import type { FoundKnowledge, KnowledgeQuery } from "./knowledge.ts";
import type { StepContext } from "./step-context.ts";

/** Searches assets within a step; an embedding of the query has its own span. */
export const searchKnowledge = async (
  query: Omit<KnowledgeQuery, "signal">,
  { knowledge, signal, openSpan }: Pick<StepContext, "knowledge" | "signal" | "openSpan">,
): Promise<Pick<FoundKnowledge, "passages" | "unavailable">> => {
  if (!knowledge) throw new StepError("execution-failed", "There are no assets to search here.");
  const { embeddings, ...found } = await knowledge.search({ ...query, signal });
  for (const { providerId, model, inputTokens, cost, priced } of embeddings) {
    const span = openSpan({
      type: "Model",
      name: "Embedding of the query",
      input: query.query,
      providerId,
      modelId: model,
    });
    const usage = { inputTokens, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 };
    span.close({ usage, cost, priced });
  }
  return found;
};
