import type { Database } from "../../platform/db/database.ts";
import { findTenantOwner, type TenantOwner } from "./store.ts";

const maxKept = 1_000;
const known = new Map<string, TenantOwner>();

/**
 * Finds a tenant's owner by id or slug; undefined for none. Cached per instance, since it never changes.
 */
export const findOwner = async (
  db: Database,
  idOrSlug: string,
): Promise<TenantOwner | undefined> => {
  const owner = known.get(idOrSlug) ?? (await findTenantOwner(db, idOrSlug));
  if (!owner) return undefined;
  if (known.size >= maxKept) known.clear();
  known.set(idOrSlug, owner);
  return owner;
};
