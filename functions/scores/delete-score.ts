import { deleteScore } from "../../lib/agents/score/put-score.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteScore, async ({ ctx, params }) => {
  const { agent: agentId, executionRecord: executionId, score } = params;
  await deleteScore(database(), { tenantId: ctx.tenant.id, agentId, executionId }, score);
  return undefined;
});
