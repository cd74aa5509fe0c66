import { endpoint } from "../../lib/edge/endpoint.ts";
import { addFromExecutions } from "../../lib/evaluation/dataset/add-from-executions.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(rows.addExamplesFromExecutions, ({ ctx, params, body }) =>
  addFromExecutions(deps(), { ctx, datasetId: params.dataset, ...body }),
);
