import { getAgent } from "../../lib/agents/agent/store.ts";
import { listRevisionsNewestFirst } from "../../lib/agents/revision/store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listRevisions, async ({ db, ctx, params, query }) => {
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listRevisionsNewestFirst(db, ctx.tenant.id, params.agent, toPageRequest(query)),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return page;
});
