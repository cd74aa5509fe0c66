import { updateScorer } from "../../lib/evaluation/scorer/update-scorer.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.updateScorer, ({ db, ctx, params, body }) =>
  updateScorer(deps(db), { ctx, scorerId: params.scorer, body }),
);
