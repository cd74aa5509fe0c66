import type { LlmProvider } from "./schemas.ts";
import type { ProviderItem } from "./store.ts";

/** The public shape of a stored provider. */
export const toLlmProvider = (item: ProviderItem): LlmProvider => ({
  id: item.id,
  type: item.type,
  displayName: item.displayName,
  baseUrl: item.baseUrl,
  region: item.region,
  defaultModel: item.defaultModel,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
});
