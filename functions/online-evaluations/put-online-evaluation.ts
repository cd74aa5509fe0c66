import { endpoint } from "../../lib/edge/endpoint.ts";
import { putOnlineEvaluation } from "../../lib/evaluation/online/put-online-evaluation.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.putOnlineEvaluation, ({ ctx, params, body }) =>
  putOnlineEvaluation({ db: database() }, { ctx, agentId: params.agent, body }),
);
