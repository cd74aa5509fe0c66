import { endpoint } from "../../lib/edge/endpoint.ts";
import { addExamples } from "../../lib/evaluation/dataset/add-examples.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(
  rows.addExamples,
  ({ ctx, params, body }) =>
    addExamples(deps(), { ctx, datasetId: params.dataset, items: body.items }),
  { objects: objectStore },
);
