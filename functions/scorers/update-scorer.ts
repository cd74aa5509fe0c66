import { endpoint } from "../../lib/edge/endpoint.ts";
import { updateScorer } from "../../lib/evaluation/scorer/update-scorer.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.updateScorer, ({ ctx, params, body }) =>
  updateScorer(deps(), { ctx, scorerId: params.scorer, body }),
);
