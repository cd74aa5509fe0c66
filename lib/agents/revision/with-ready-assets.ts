import { isReady } from "../../knowledge/asset/asset-item.ts";
import { getAssets } from "../../knowledge/asset/store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type NamedAssets, storedById } from "./named-assets.ts";
import type { Revision } from "./schemas.ts";

/** Sets `vectorized` of a revision's assets: whether the asset is Ready now. */
export const withReadyAssets = async (
  db: Database,
  tenantId: TenantId,
  revision: Revision,
): Promise<Revision> => {
  const ids = revision.assets.map(({ id }) => id);
  if (ids.length === 0) return revision;
  return markReady(revision, storedById(await getAssets(db, tenantId, ids)));
};

/** Sets `vectorized` of a revision's assets from what was read of them. */
export const markReady = (revision: Revision, stored: NamedAssets): Revision => ({
  ...revision,
  assets: revision.assets.map((asset) => {
    const found = stored.get(asset.id);
    return { ...asset, vectorized: found !== undefined && isReady(found) };
  }),
});
