import { toDataset } from "../../lib/evaluation/dataset/dataset-item.ts";
import { updateDataset } from "../../lib/evaluation/dataset/update-dataset.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.updateDataset, async ({ db, ctx, params, body }) => {
  const input = { datasetId: params.dataset, body };
  return toDataset(await updateDataset({ db }, { ctx, ...input }));
});
