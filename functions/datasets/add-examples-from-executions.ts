import { addFromExecutions } from "../../lib/evaluation/dataset/add-from-executions.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(rows.addExamplesFromExecutions, ({ db, ctx, params, body }) =>
  addFromExecutions(deps(db), { ctx, datasetId: params.dataset, ...body }),
);
