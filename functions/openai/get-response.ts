import { getResponse } from "../../lib/openai/get-response.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(rows.getResponse, ({ db, ctx, params }) =>
  getResponse(deps(db), { ctx, id: params.response }),
);
