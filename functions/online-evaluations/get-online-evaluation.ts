import { endpoint } from "../../lib/edge/endpoint.ts";
import { getOnlineEvaluation } from "../../lib/evaluation/online/get-online-evaluation.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getOnlineEvaluation, ({ db, ctx, params }) =>
  getOnlineEvaluation(db, ctx, params.agent),
);
