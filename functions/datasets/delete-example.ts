import { deleteExample } from "../../lib/evaluation/dataset/delete-example.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteExample, async ({ db, ctx, params }) => {
  const input = { datasetId: params.dataset, exampleId: params.example };
  await deleteExample({ db }, { ctx, ...input });
  return undefined;
});
