import { getAgent } from "../../lib/agents/agent/store.ts";
import { listAccessRequests } from "../../lib/chat/chat-user/request-store.ts";
import { toAccessRequest } from "../../lib/chat/chat-user/to-access-request.ts";
import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAccessRequests, async ({ db, ctx, params, query }) => {
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listAccessRequests(
      db,
      ctx.tenant.id,
      { agentId: params.agent, status: query.status },
      toPageRequest(query),
    ),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return mapPage(page, toAccessRequest);
});
