import type { Database } from "../../platform/db/database.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { changeExamples } from "./change-examples.ts";
import { pinVersion } from "./dataset-item.ts";
import { findRowToCompare } from "./example-store.ts";
import { exampleRowKey } from "./keys.ts";

/** Removes an example from the dataset's newest version, as a new version. Throws 404, and 409 as adding does. */
export const deleteExample = async (
  { db }: { db: Database },
  {
    ctx,
    datasetId,
    exampleId,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">;
    datasetId: string;
    exampleId: string;
  },
): Promise<void> => {
  const tenantId = ctx.tenant.id;
  await changeExamples({ ctx, datasetId, db }, async ({ dataset, write }) => {
    const pinned = pinVersion(dataset);
    const row = pinned && (await findRowToCompare(db, tenantId, pinned, exampleId));
    if (!row || row.isDeleted) throw notFound("example", exampleId);
    const tombstone = { exampleId, version: write.version, isDeleted: true, split: null };
    return {
      rows: [exampleRowKey(tenantId, dataset.contentId, tombstone)],
      exampleCount: dataset.exampleCount - 1,
    };
  });
};
