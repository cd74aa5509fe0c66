import type { Database } from "../../platform/db/database.ts";
import { findTenantOwner, type TenantOwner } from "./store.ts";

const maxKept = 1_000;
const known = new Map<string, TenantOwner>();

/**
 * Whose tenant this id or slug is; undefined for none. It never changes, so what was found is kept in the
 * instance.
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
