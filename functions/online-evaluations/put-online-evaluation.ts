import { putOnlineEvaluation } from "../../lib/evaluation/online/put-online-evaluation.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.putOnlineEvaluation, ({ db, ctx, params, body }) =>
  putOnlineEvaluation({ db }, { ctx, agentId: params.agent, body }),
);
