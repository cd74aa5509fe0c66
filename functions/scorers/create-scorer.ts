import { createScorer } from "../../lib/evaluation/scorer/create-scorer.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(
  rows.createScorer,
  ({ db, ctx, body }) => createScorer(deps(db), { ctx, body }),
  { objects: objectStore },
);
