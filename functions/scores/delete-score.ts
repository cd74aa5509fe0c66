import { requireOwnScore } from "../../lib/agents/score/own-score.ts";
import { deleteScore } from "../../lib/agents/score/put-score.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteScore, async ({ ctx, params }) => {
  const { agent: agentId, executionRecord: executionId, score } = params;
  const of = { tenantId: ctx.tenant.id, agentId, executionId };
  await deleteScore(database(), of, score, requireOwnScore(ctx.principal, score));
  return undefined;
});
