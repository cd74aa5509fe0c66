import { endpoint } from "../../lib/edge/endpoint.ts";
import { listScores } from "../../lib/evaluation/score/list-scores.ts";
import { database } from "../../lib/platform/db/database.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listScores, ({ ctx, params, query }) => {
  const { agent: agentId, executionRecord: executionId } = params;
  const of = { tenantId: ctx.tenant.id, agentId, executionId };
  return listScores(database(), of, toPageRequest(query));
});
