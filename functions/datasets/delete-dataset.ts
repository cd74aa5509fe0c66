import { endpoint } from "../../lib/edge/endpoint.ts";
import { deleteDataset } from "../../lib/evaluation/dataset/delete-dataset.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.deleteDataset, async ({ ctx, params }) => {
  await deleteDataset(deps(), { tenantId: ctx.tenant.id, datasetId: params.dataset });
  return undefined;
});
