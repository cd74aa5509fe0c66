import type { Knowledge } from "../../engine/flow/knowledge.ts";
import { ToolError } from "../../engine/tools/tool.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type SearchDeps, searchAssets } from "./search-assets.ts";
import { SearchFilter } from "./search-filter.ts";

/** The knowledge of a tenant, for flows. */
export const tenantKnowledge = (deps: SearchDeps, tenantId: TenantId): Knowledge => ({
  search: (search) => {
    const filter = SearchFilter.safeParse(search.filter);
    if (filter.success) return searchAssets(deps, tenantId, { ...search, filter: filter.data });
    const [issue] = filter.error.issues;
    const place = ["filter", ...(issue?.path ?? [])].join("/");
    throw new ToolError(`The search's ${place} is not valid: ${issue?.message}`);
  },
});
