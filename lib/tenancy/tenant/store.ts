import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { isUuid } from "../../platform/http/ids.ts";
import {
  organizationTenantKey,
  organizationTenantsList,
  tenantAliasKey,
  tenantKey,
} from "./keys.ts";
import { Retention } from "./retention.ts";
import { Tenant, TenantSlug } from "./schemas.ts";

/** A tenant's id, its organization, and settings that much work reads. */
const TenantOwner = z.object({
  id: TenantId,
  organizationId: z.string(),
  retention: Retention.prefault({}),
  embedding: Tenant.shape.embedding,
  guardrails: Tenant.shape.guardrails,
});
export type TenantOwner = z.output<typeof TenantOwner>;

/** TENANT#id / TENANT, or TENANT#slug / ALIAS: reads the owner of a tenant by id or slug. */
export const findTenantOwner = async (
  db: Database,
  idOrSlug: string,
): Promise<TenantOwner | undefined> => {
  if (!isUuid(idOrSlug) && !TenantSlug.safeParse(idOrSlug).success) return undefined;
  const key = isUuid(idOrSlug) ? tenantKey(idOrSlug.toLowerCase()) : tenantAliasKey(idOrSlug);
  return getItem(db, key, TenantOwner, [
    "id",
    "organizationId",
    "retention",
    "embedding",
    "guardrails",
  ]);
};

/** TENANT#id / TENANT: reads a tenant. */
export const getTenant = (db: Database, tenantId: TenantId): Promise<Tenant | undefined> =>
  getItem(db, tenantKey(tenantId), Tenant);

/** ORG#o / TENANT#slug: lists an organization's tenants by slug. */
export const listTenants = (db: Database, organizationId: string): Promise<Tenant[]> =>
  Array.fromAsync(listAll(db, Tenant, organizationTenantsList(organizationId)));

/** Writes a new tenant by id, slug and organization; "taken" when the slug exists. */
export const putNewTenant = async (
  db: Database,
  tenant: z.input<typeof Tenant>,
): Promise<"written" | "taken"> => {
  const { id, slug, organizationId } = tenant;
  const outcome = await transact(db, [
    { Put: { Item: { ...tenantKey(id), ...tenant }, ...ifNew } },
    { Put: { Item: { ...tenantAliasKey(slug), id, organizationId }, ...ifNew } },
    { Put: { Item: { ...organizationTenantKey(organizationId, slug), ...tenant } } },
  ]);
  return outcome.written ? "written" : "taken";
};

/**
 * Changes a tenant by id, slug and organization; "changed" when it is not as it was read. `modifiedAt` must differ
 * from the one that was read.
 */
export const putChangedTenant = async (
  db: Database,
  before: Tenant,
  { displayName, retention, embedding, guardrails, modifiedAt }: Tenant,
): Promise<"written" | "changed"> => {
  const { id, slug, organizationId } = before;
  const set = { displayName, retention, embedding, guardrails, modifiedAt };
  const expect = { modifiedAt: before.modifiedAt };
  const outcome = await transact(db, [
    { Update: patch(tenantKey(id), { set, expect }) },
    { Update: patch(tenantAliasKey(slug), { set: { retention, embedding, guardrails } }) },
    { Update: patch(organizationTenantKey(organizationId, slug), { set }) },
  ]);
  return outcome.written ? "written" : "changed";
};
