import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { readExample } from "./read-examples.ts";
import { requireVersion } from "./require-version.ts";
import type { Example } from "./schemas.ts";

/** Reads an example as it is in a version, the newest unless given. Throws 404. */
export const getExample = async (
  deps: { db: Database; objects: ObjectStore },
  {
    tenantId,
    datasetId,
    exampleId,
    version,
  }: { tenantId: TenantId; datasetId: string; exampleId: string; version?: number | undefined },
): Promise<Example> => {
  const pinned = await requireVersion(deps.db, tenantId, datasetId, version);
  const example = await readExample(deps, { tenantId, pinned, exampleId });
  if (!example) throw notFound("example", exampleId);
  return example;
};
