import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { builtInProviders } from "./built-in-providers.ts";
import type { LlmProvider } from "./schemas.ts";
import { listProviders } from "./store.ts";
import { toLlmProvider } from "./to-llm-provider.ts";

/** A page of a tenant's providers: the built-in ones first, then its own by id. */
export const listLlmProviders = async (
  db: Database,
  tenantId: TenantId,
  { size, skip }: PageRequest,
): Promise<Page<LlmProvider>> => {
  const builtIn = builtInProviders.slice(skip, skip + size);
  const own = await listProviders(db, tenantId, {
    size: size - builtIn.length,
    skip: Math.max(0, skip - builtInProviders.length),
  });
  const isLast = own.nextPageToken === null && skip + size >= builtInProviders.length;
  return {
    items: [...builtIn, ...own.items.map(toLlmProvider)],
    nextPageToken: isLast ? null : String(skip + size),
  };
};
