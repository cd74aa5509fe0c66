import { listScores } from "../../lib/evaluation/score/list-scores.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listScores, ({ db, ctx, params, query }) => {
  const { agent: agentId, executionRecord: executionId } = params;
  const of = { tenantId: ctx.tenant.id, agentId, executionId, now: ctx.clock() };
  return listScores(db, of, toPageRequest(query));
});
