import { requireOwnScore } from "../../lib/evaluation/score/own-score.ts";
import { deleteScore } from "../../lib/evaluation/score/put-score.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteScore, async ({ db, ctx, params }) => {
  const { agent: agentId, executionRecord: executionId, score } = params;
  const of = { tenantId: ctx.tenant.id, agentId, executionId };
  await deleteScore(db, of, score, requireOwnScore(ctx.principal, score));
  return undefined;
});
