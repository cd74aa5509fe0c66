import { deleteDataset } from "../../lib/evaluation/dataset/delete-dataset.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.deleteDataset, async ({ db, ctx, params }) => {
  await deleteDataset(deps(db), { tenantId: ctx.tenant.id, datasetId: params.dataset });
  return undefined;
});
