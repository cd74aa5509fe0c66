import { getAgent } from "../../lib/agents/agent/store.ts";
import { listSessions } from "../../lib/executions/session/read-sessions.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listSessions, async ({ db, ctx, params, query }) => {
  const tenantId = ctx.tenant.id;
  const { agent: agentId } = params;
  if (!(await getAgent(db, tenantId, agentId))) throw notFound("agent", agentId);
  const { endUserId } = query;
  const read = { tenantId, agentId, principal: ctx.principal, endUserId, now: ctx.clock() };
  return listSessions(db, read, toPageRequest(query));
});
