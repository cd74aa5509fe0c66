import { endpoint } from "../../lib/edge/endpoint.ts";
import { deleteDataset } from "../../lib/evaluation/dataset/delete-dataset.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.deleteDataset, async ({ ctx, params }) => {
  await deleteDataset(ctx.tenant.id, params.dataset, deps());
  return undefined;
});
