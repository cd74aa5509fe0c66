import { getAgent } from "../../lib/agents/agent/store.ts";
import { listRevisionsOldestFirst } from "../../lib/agents/revision/store.ts";
import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listHistory, async ({ db, ctx, params, query }) => {
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listRevisionsOldestFirst(db, ctx.tenant.id, params.agent, toPageRequest(query)),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return mapPage(page, (item) => ({ agentId: agent.id, ...item }));
});
