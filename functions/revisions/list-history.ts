import { getAgent } from "../../lib/agent/store.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { notFound } from "../../lib/http/problems.ts";
import { listRevisionsOldestFirst } from "../../lib/revision/store.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listHistory, async ({ ctx, params, query }) => {
  const db = database();
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listRevisionsOldestFirst(db, ctx.tenant.id, params.agent, toPageRequest(query)),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return mapPage(page, (item) => ({ agentId: agent.id, ...item }));
});
