import { calculatePrice, pricedEmbeddingModels } from "../../engine/models/price.ts";
import { hasEmbeddings } from "../../engine/models/provider-settings.ts";
import { noTokens } from "../../engine/models/sums.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { listProviders } from "../../tenancy/llm-provider/store.ts";
import { defaultEmbedding } from "../asset/check-embedding.ts";
import type { EmbeddingCost } from "../sources/schemas.ts";

const maxProviders = 100;

/**
 * Returns the cost of embedding tokens with every priced model of the tenant's first 100 providers;
 * the built-in one, which is free, first.
 */
export const estimateCost = async (
  db: Database,
  tenantId: TenantId,
  tokens: number,
): Promise<EmbeddingCost[]> => {
  const { items } = await listProviders(db, tenantId, { size: maxProviders, skip: 0 });
  const usage = { ...noTokens, inputTokens: tokens };
  const costs = items
    .filter(({ type }) => hasEmbeddings(type))
    .map(async (provider) => {
      const models = await pricedEmbeddingModels(provider);
      return Promise.all(
        models.map(async (model) => {
          const { cost } = await calculatePrice(provider, model, usage);
          return { providerId: provider.id, model, cost: cost.totalCost };
        }),
      );
    });
  return [{ ...defaultEmbedding, cost: 0 }, ...(await Promise.all(costs)).flat()];
};
