import { endpoint } from "../../lib/edge/endpoint.ts";
import { deleteExample } from "../../lib/evaluation/dataset/delete-example.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteExample, async ({ ctx, params }) => {
  const input = { datasetId: params.dataset, exampleId: params.example };
  await deleteExample({ db: database() }, { ctx, ...input });
  return undefined;
});
