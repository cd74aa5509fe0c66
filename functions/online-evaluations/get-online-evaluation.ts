import { endpoint } from "../../lib/edge/endpoint.ts";
import { getOnlineEvaluation } from "../../lib/evaluation/online/get-online-evaluation.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getOnlineEvaluation, ({ ctx, params }) =>
  getOnlineEvaluation(database(), ctx, params.agent),
);
