import type { QueryEmbedding } from "./knowledge.ts";
import type { StepContext } from "./step-context.ts";

/** Adds a span for each embedding of a query, which counts as a call of its model. */
export const showEmbeddings = (
  embeddings: readonly QueryEmbedding[],
  query: string,
  { openSpan }: Pick<StepContext, "openSpan">,
): void => {
  for (const { providerId, model, inputTokens, cost, priced } of embeddings) {
    const span = openSpan({
      type: "Model",
      name: "Embedding of the query",
      input: query,
      providerId,
      modelId: model,
    });
    const usage = { inputTokens, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 };
    span.close({ usage, cost, priced });
  }
};
