import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import { isManaged, type ManagedAsset } from "../asset/asset-item.ts";
import { getAsset } from "../asset/store.ts";
import { upload } from "../sources/upload.ts";

/** Returns an asset for uploaded documents. Throws 404, and 409 for an asset of another type. */
export const getUploadAsset = async (
  db: Database,
  tenantId: TenantId,
  assetId: string,
): Promise<ManagedAsset> => {
  const asset = await getAsset(db, tenantId, assetId);
  if (!asset) throw notFound("asset", assetId);
  if (isManaged(asset) && asset.type === upload.key) return asset;
  throw conflict(
    `The asset "${assetId}" does not accept uploads: its documents come from ${asset.type ?? "revisions"}. Create one of type "upload".`,
  );
};
