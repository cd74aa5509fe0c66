import type { Database } from "../../platform/db/database.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { checkInputSchema } from "./check-input-schema.ts";
import type { DatasetItem } from "./dataset-item.ts";
import type { UpdateDatasetBody } from "./schemas.ts";
import { changeDataset, getDataset } from "./store.ts";

/** Changes the members of a dataset that were sent; its examples and their version stay. Throws 404 and 400. */
export const updateDataset = async (
  { db }: { db: Database },
  {
    ctx,
    datasetId,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "tenant">; datasetId: string; body: UpdateDatasetBody },
): Promise<DatasetItem> => {
  const { displayName, description, inputSchema } = body;
  const sent = { displayName, description, inputSchema };
  await checkInputSchema(ctx.tenant.id, inputSchema);
  const dataset = Object.values(sent).every((value) => value === undefined)
    ? await getDataset(db, ctx.tenant.id, datasetId)
    : await changeDataset(db, ctx.tenant.id, datasetId, { ...sent, modifiedAt: ctx.clock() });
  if (!dataset) throw notFound("dataset", datasetId);
  return dataset;
};
