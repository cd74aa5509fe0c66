import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { type DatasetVersion, pinVersion } from "./dataset-item.ts";
import { getDataset } from "./store.ts";

/** Returns a version of a dataset, the newest unless given. Throws 404 for a dataset or version that does not exist. */
export const requireVersion = async (
  db: Database,
  tenantId: TenantId,
  datasetId: string,
  version?: number,
): Promise<DatasetVersion> => {
  const dataset = await getDataset(db, tenantId, datasetId);
  if (!dataset) throw notFound("dataset", datasetId);
  const pinned = pinVersion(dataset, version);
  if (!pinned) throw notFound(`version of the dataset "${datasetId}"`, String(version));
  return pinned;
};
