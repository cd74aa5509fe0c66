import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { isUuid } from "../../platform/http/ids.ts";
import {
  organizationTenantKey,
  organizationTenantsList,
  tenantAliasKey,
  tenantKey,
} from "./keys.ts";
import { Tenant, TenantSlug } from "./schemas.ts";

/** Which tenant, and whose: all that a request needs to know of it. */
const TenantOwner = z.object({ id: TenantId, organizationId: z.string() });
export type TenantOwner = z.output<typeof TenantOwner>;

/** TENANT#id / TENANT, or TENANT#slug / ALIAS: whose tenant is this id or slug? */
export const findTenantOwner = async (
  db: Database,
  idOrSlug: string,
): Promise<TenantOwner | undefined> => {
  if (!isUuid(idOrSlug) && !TenantSlug.safeParse(idOrSlug).success) return undefined;
  const key = isUuid(idOrSlug) ? tenantKey(idOrSlug.toLowerCase()) : tenantAliasKey(idOrSlug);
  return getItem(db, key, TenantOwner, ["id", "organizationId"]);
};

/** TENANT#id / TENANT: the tenant whole. */
export const getTenant = (db: Database, tenantId: TenantId): Promise<Tenant | undefined> =>
  getItem(db, tenantKey(tenantId), Tenant);

/** ORG#o / TENANT#slug: the organization's tenants, by slug. */
export const listTenants = (db: Database, organizationId: string): Promise<Tenant[]> =>
  Array.fromAsync(listAll(db, Tenant, organizationTenantsList(organizationId)));

/** Writes a new tenant under its id, its slug and its organization; "taken" when the slug is. */
export const putNewTenant = async (db: Database, tenant: Tenant): Promise<"written" | "taken"> => {
  const { id, slug, organizationId } = tenant;
  const outcome = await transact(db, [
    { Put: { Item: { ...tenantKey(id), ...tenant }, ...ifNew } },
    { Put: { Item: { ...tenantAliasKey(slug), id, organizationId }, ...ifNew } },
    { Put: { Item: { ...organizationTenantKey(organizationId, slug), ...tenant } } },
  ]);
  return outcome.written ? "written" : "taken";
};
