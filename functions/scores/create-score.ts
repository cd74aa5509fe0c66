import { endpoint } from "../../lib/edge/endpoint.ts";
import { createScore } from "../../lib/evaluation/score/create-score.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createScore, ({ ctx, params, body }) =>
  createScore(
    { db: database() },
    { ctx, agentId: params.agent, executionId: params.executionRecord, body },
  ),
);
