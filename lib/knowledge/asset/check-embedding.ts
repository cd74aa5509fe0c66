import type { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import { hasEmbeddings } from "../../engine/models/provider-settings.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { findBuiltIn } from "../../tenancy/llm-provider/built-in-providers.ts";
import { getProvider } from "../../tenancy/llm-provider/store.ts";

/** The embedding model of an asset that names none. */
export const defaultEmbedding: EmbeddingModel = { providerId: "echo", model: "echo-1" };

/** Throws 400 unless the provider exists and has embedding models. */
export const checkEmbedding = async (
  db: Database,
  tenantId: TenantId,
  { providerId }: EmbeddingModel,
): Promise<void> => {
  if (findBuiltIn(providerId)) return;
  const provider = await getProvider(db, tenantId, providerId);
  if (provider && hasEmbeddings(provider.type)) return;
  const detail = provider
    ? `has no embedding models: ${provider.type} offers none. Choose another provider, such as echo`
    : "is not a language-model provider of this tenant";
  throw validationFailed([{ pointer: "/embedding/providerId", detail }]);
};
