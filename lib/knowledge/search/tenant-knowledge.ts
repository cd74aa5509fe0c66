import type { Knowledge } from "../../engine/flow/knowledge.ts";
import { ToolError } from "../../engine/tools/tool.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { readAssetText } from "./read-asset-text.ts";
import { type SearchDeps, searchAssets } from "./search-assets.ts";
import { SearchFilter } from "./search-filter.ts";
import { UnsearchableAssets } from "./unsearchable.ts";

/** The knowledge of a tenant, for flows. */
export const tenantKnowledge = (deps: SearchDeps, tenantId: TenantId): Knowledge => ({
  search: async (search) => {
    const filter = SearchFilter.safeParse(search.filter);
    if (!filter.success) {
      const [issue] = filter.error.issues;
      const place = ["filter", ...(issue?.path ?? [])].join("/");
      throw new ToolError(`The search's ${place} is not valid: ${issue?.message}`);
    }
    try {
      const wanted = { ...search, filter: filter.data, missing: "refused" as const };
      return await searchAssets(deps, { tenantId, search: wanted });
    } catch (error) {
      if (!(error instanceof UnsearchableAssets)) throw error;
      throw new ToolError(`The search names a missing resource: ${error.message}.`);
    }
  },
  read: (request) => readAssetText(deps, { tenantId, request }),
});
