import { createScore } from "../../lib/evaluation/score/create-score.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createScore, ({ db, ctx, params, body }) =>
  createScore({ db }, { ctx, agentId: params.agent, executionId: params.executionRecord, body }),
);
