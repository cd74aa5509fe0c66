import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { defaultRetention, type Retention } from "./retention.ts";
import { findTenantOwner, type TenantOwner } from "./store.ts";

const maxKept = 1_000;
/** Time after which changed settings are seen by every instance, in milliseconds. */
export const ownerKeptMs = 5 * 60_000;

const known = new Map<string, { owner: TenantOwner; until: number }>();

/**
 * Finds a tenant's owner and settings by id or slug; undefined for none. Cached per instance for five minutes, since only
 * the settings change.
 */
export const findOwner = async (
  db: Database,
  idOrSlug: string,
  now: number,
): Promise<TenantOwner | undefined> => {
  const kept = known.get(idOrSlug);
  if (kept && now < kept.until) return kept.owner;
  const owner = await findTenantOwner(db, idOrSlug);
  if (!owner) return undefined;
  if (known.size >= maxKept) known.clear();
  known.set(idOrSlug, { owner, until: now + ownerKeptMs });
  return owner;
};

/** Finds a tenant's retention; the default for a deleted tenant. */
export const findRetention = async (
  db: Database,
  tenantId: TenantId,
  now: number,
): Promise<Retention> => (await findOwner(db, tenantId, now))?.retention ?? defaultRetention;

/** Removes a tenant from the cache of this instance. */
export const forgetOwner = ({ id, slug }: { id: string; slug: string }): void => {
  known.delete(id);
  known.delete(slug);
};
