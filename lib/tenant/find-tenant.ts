import type { Principal } from "../auth/principal.ts";
import type { Database } from "../db/database.ts";
import { notFound } from "../http/problems.ts";
import { findTenantOwner, type TenantOwner } from "./store.ts";

const mostKept = 1_000;

/**
 * Finds the tenant that a path names, by id or slug. Whose tenant it is never changes, so what was found
 * is kept in the instance. Another organization's tenant does not exist.
 */
export const tenantFinder = () => {
  const known = new Map<string, TenantOwner>();
  return async (db: Database, idOrSlug: string, principal: Principal): Promise<TenantOwner> => {
    const tenant = known.get(idOrSlug) ?? (await findTenantOwner(db, idOrSlug));
    if (!tenant) throw notFound("tenant", idOrSlug);
    if (known.size >= mostKept) known.clear();
    known.set(idOrSlug, tenant);
    if (tenant.organizationId !== principal.organizationId) throw notFound("tenant", idOrSlug);
    return tenant;
  };
};
