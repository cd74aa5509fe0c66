import { echoModel } from "../../lib/engine/models/echo.ts";
import type { EmbedRequest, ModelProvider } from "../../lib/engine/models/model.ts";
import { createModelRegistry } from "../../lib/engine/models/registry.ts";
import { loadTokenCounter } from "../../lib/knowledge/sources/token-counter.ts";
import { countEmbeddings } from "../../lib/spending/usage/count-other-usage.ts";
import { reportUsage } from "../../lib/spending/usage/report-usage.ts";
import type { testTenant } from "./tenant.ts";

/** A provider with echo's embeddings at 1 dollar for a million tokens, which records its calls and can fail. */
export const embeddingProvider = () => {
  const texts: string[] = [];
  let passing = Number.POSITIVE_INFINITY;
  let failure: Error | undefined;
  const provider: ModelProvider = {
    ...echoModel,
    embed: async (request: EmbedRequest) => {
      if (passing === 0 && failure) throw failure;
      passing -= 1;
      texts.push(...request.texts);
      return (await echoModel.embed?.(request)) ?? { vectors: [], inputTokens: 0 };
    },
    price: async (_model, { inputTokens }) => {
      const cost = inputTokens / 1_000_000;
      const none = { outputCost: 0, cachedCost: 0, thinkingCost: 0 };
      return { cost: { ...none, inputCost: cost, totalCost: cost }, priced: true };
    },
  };
  return {
    provider,
    /** Texts that were embedded. */
    texts,
    /** Fails all calls after some. */
    failAfter: (calls: number, error: Error) => {
      passing = calls;
      failure = error;
    },
    recover: () => {
      passing = Number.POSITIVE_INFINITY;
    },
  };
};

/** Returns the tokens and the cost that a tenant's usage of today has, by a dimension. */
export const usageToday = async (
  { deps: { db }, ctx }: ReturnType<typeof testTenant>,
  groupBy: "agent" | "model" | "revision" | "trigger" = "model",
) => {
  const today = new Date(ctx.clock()).toISOString().slice(0, 10);
  const { items } = await reportUsage(db, ctx.tenant.id, { from: today, to: today, groupBy });
  return items.map(({ key, executionCount, inputTokens, totalCost }) => ({
    key,
    executionCount,
    inputTokens,
    totalCost,
  }));
};

/** Dependencies of indexing, with small chunks. */
export const indexingDeps = (
  { deps, ctx }: ReturnType<typeof testTenant>,
  provider: ModelProvider,
) => ({
  ...deps,
  clock: ctx.clock,
  chunking: { size: 32, overlap: 4 },
  loadTokenCounter,
  countEmbeddings,
  modelsFor: () => createModelRegistry(new Map([["echo", provider]])),
});
