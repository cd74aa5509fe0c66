import { toDataset } from "../../lib/evaluation/dataset/dataset-item.ts";
import { getDataset } from "../../lib/evaluation/dataset/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getDataset, async ({ db, ctx, params }) => {
  const dataset = await getDataset(db, ctx.tenant.id, params.dataset);
  if (!dataset) throw notFound("dataset", params.dataset);
  return toDataset(dataset);
});
