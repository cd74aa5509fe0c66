import { isReady } from "../../knowledge/asset/asset-item.ts";
import { getAssets } from "../../knowledge/asset/store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Revision } from "./schemas.ts";

/** Sets `vectorized` of a revision's assets: whether each is Ready now. */
export const withReadyAssets = async (
  db: Database,
  tenantId: TenantId,
  revision: Revision,
): Promise<Revision> => {
  const { assets } = revision;
  if (assets.length === 0) return revision;
  const stored = await getAssets(
    db,
    tenantId,
    assets.map(({ id }) => id),
  );
  return {
    ...revision,
    assets: assets.map((asset, at) => {
      const found = stored[at];
      return { ...asset, vectorized: found !== undefined && isReady(found) };
    }),
  };
};
