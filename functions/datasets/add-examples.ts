import { addExamples } from "../../lib/evaluation/dataset/add-examples.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(
  rows.addExamples,
  ({ db, ctx, params, body }) =>
    addExamples(deps(db), { ctx, datasetId: params.dataset, items: body.items }),
  { objects: objectStore },
);
