import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { pinVersion } from "./dataset-item.ts";
import { readExample } from "./read-examples.ts";
import type { Example } from "./schemas.ts";
import { getDataset } from "./store.ts";

/** Reads an example as it is in a version, the newest unless given. Throws 404 for a dataset, version or example that does not exist. */
export const getExample = async (
  deps: { db: Database; objects: ObjectStore },
  tenantId: TenantId,
  {
    datasetId,
    exampleId,
    version,
  }: { datasetId: string; exampleId: string; version?: number | undefined },
): Promise<Example> => {
  const dataset = await getDataset(deps.db, tenantId, datasetId);
  if (!dataset) throw notFound("dataset", datasetId);
  const pinned = pinVersion(dataset, version);
  if (!pinned) throw notFound(`version of the dataset "${dataset.id}"`, String(version));
  const example = await readExample(deps, tenantId, pinned, exampleId);
  if (!example) throw notFound("example", exampleId);
  return example;
};
