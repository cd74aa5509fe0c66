import { createDataset } from "../../lib/evaluation/dataset/create-dataset.ts";
import { toDataset } from "../../lib/evaluation/dataset/dataset-item.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createDataset, async ({ db, ctx, body }) =>
  toDataset(await createDataset({ db }, { ctx, body })),
);
