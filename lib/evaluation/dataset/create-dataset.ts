import type { Database } from "../../platform/db/database.ts";
import { conflict } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { checkInputSchema } from "./check-input-schema.ts";
import type { DatasetItem } from "./dataset-item.ts";
import type { CreateDatasetBody } from "./schemas.ts";
import { putNewDataset } from "./store.ts";

/** Creates a dataset without examples. Throws 400 for a wrong `inputSchema`, and 409 when the id is taken. */
export const createDataset = async (
  { db }: { db: Database },
  {
    ctx,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">; body: CreateDatasetBody },
): Promise<DatasetItem> => {
  await checkInputSchema(ctx.tenant.id, body.inputSchema);
  const id = body.id ?? newUuid(ctx);
  const now = ctx.clock();
  const item: DatasetItem = {
    id,
    displayName: body.displayName,
    description: body.description ?? null,
    inputSchema: body.inputSchema ?? null,
    version: 0,
    exampleCount: 0,
    createdAt: now,
    modifiedAt: now,
    contentId: newUuid(ctx),
    write: null,
    abandoned: [],
  };
  if ((await putNewDataset(db, ctx.tenant.id, item)) === "written") return item;
  throw conflict(`The dataset id "${id}" is taken. Choose another.`);
};
