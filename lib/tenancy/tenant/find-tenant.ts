import type { Principal } from "../../platform/auth/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import { unknownAddress } from "../../platform/http/problems.ts";
import { findOwner } from "./find-owner.ts";
import type { TenantOwner } from "./store.ts";

/** Finds the tenant that a path names, by id or slug. Throws 404; another organization's tenant does not exist. */
export const findTenant = async (
  db: Database,
  idOrSlug: string,
  principal: Principal,
  now: number,
): Promise<TenantOwner> => {
  const tenant = await findOwner(db, idOrSlug, now);
  if (tenant?.organizationId !== principal.organizationId) throw unknownAddress("tenant", idOrSlug);
  return tenant;
};
