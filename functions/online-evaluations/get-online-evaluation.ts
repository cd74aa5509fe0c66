import { getOnlineEvaluation } from "../../lib/evaluation/online/get-online-evaluation.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getOnlineEvaluation, ({ db, ctx, params }) =>
  getOnlineEvaluation(db, ctx, params.agent),
);
