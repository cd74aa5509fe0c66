import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { SourceDocument } from "../../vendors/source.ts";
import { type AssetItem, isManaged } from "../asset/asset-item.ts";
import { getAssets } from "../asset/store.ts";
import { indexedDocuments } from "../document/indexed-documents.ts";

/** An asset of a tenant; `documents`: those of an asset with a source, as they are indexed. */
export type TenantAsset = Pick<AssetItem, "id" | "displayName" | "contentType" | "link"> & {
  readonly documents?: AsyncIterable<SourceDocument> | undefined;
};

/** Returns the assets of a tenant with these ids; leaves out those that do not exist. */
export const findTenantAssets = async (
  db: Database,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<TenantAsset[]> => {
  const found = await getAssets(db, tenantId, ids);
  return found.flatMap((asset) => (asset ? [toTenantAsset(db, tenantId, asset)] : []));
};

const toTenantAsset = (db: Database, tenantId: TenantId, asset: AssetItem): TenantAsset => {
  const { id, displayName, contentType, link, indexId } = asset;
  const documents = isManaged(asset) ? indexedDocuments(db, { tenantId, indexId }) : undefined;
  return { id, displayName, contentType, link, documents };
};
