import type { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import type { ModelRegistry } from "../../engine/models/model.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { indexName } from "../index/index-name.ts";
import type { CountingDeps, EmbeddingUsage } from "../usage/embedding-usage.ts";

/** Embeds texts with an asset's model, and counts what it uses. */
export type Embedder = {
  /** The index of the tenant and the model. */
  readonly index: string;
  /** Returns vectors in the order of the texts. Throws UpstreamError. */
  embed: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;
  /** Returns what was used since the last call. */
  takeUsage: () => EmbeddingUsage;
};

/** Dependencies of embedding a tenant's texts. */
export type EmbedderDeps = CountingDeps & {
  readonly modelsFor: (tenantId: TenantId) => ModelRegistry;
};

/** Creates an embedder. Throws UpstreamError when the provider does not exist or has no embedding models. */
export const createEmbedder = async (
  { modelsFor }: Pick<EmbedderDeps, "modelsFor">,
  {
    tenantId,
    embedding,
    signal,
  }: { tenantId: TenantId; embedding: EmbeddingModel; signal: AbortSignal },
): Promise<Embedder> => {
  const { providerId, model } = embedding;
  const provider = await modelsFor(tenantId).resolve(providerId);
  if (!provider?.embed) {
    const problem = provider ? "has no embedding models" : "does not exist any more";
    throw new UpstreamError(`The provider "${providerId}" ${problem}.`, { upstream: providerId });
  }
  let tokens = 0;
  let cost = 0;
  let priced = true;
  return {
    index: indexName(tenantId, embedding),
    embed: async (texts) => {
      const result = await provider.embed?.({ model, texts, signal });
      const { vectors = [], inputTokens = 0 } = result ?? {};
      const price = await provider.price(model, {
        inputTokens,
        outputTokens: 0,
        cachedTokens: 0,
        thinkingTokens: 0,
      });
      tokens += inputTokens;
      cost += price.cost.totalCost;
      priced &&= price.priced;
      const dimension = vectors[0]?.length ?? 0;
      const isWhole = vectors.length === texts.length && dimension > 0;
      if (isWhole && vectors.every(({ length }) => length === dimension)) return vectors;
      const problem = `The model "${model}" did not return an embedding for each text.`;
      throw new UpstreamError(problem, { upstream: providerId });
    },
    takeUsage: () => {
      const used = { providerId, model, tokens, cost, priced };
      tokens = 0;
      cost = 0;
      priced = true;
      return used;
    },
  };
};
