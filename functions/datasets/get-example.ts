import { getExample } from "../../lib/evaluation/dataset/get-example.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(rows.getExample, ({ db, ctx, params, query }) =>
  getExample(deps(db), {
    tenantId: ctx.tenant.id,
    datasetId: params.dataset,
    exampleId: params.example,
    version: query.version,
  }),
);
