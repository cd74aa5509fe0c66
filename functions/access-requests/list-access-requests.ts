import { getAgent } from "../../lib/agent/store.ts";
import { listAccessRequests } from "../../lib/chat-user/request-store.ts";
import { toAccessRequest } from "../../lib/chat-user/to-access-request.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { notFound } from "../../lib/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAccessRequests, async ({ ctx, params, query }) => {
  const db = database();
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listAccessRequests(db, ctx.tenant.id, params.agent, query.status, toPageRequest(query)),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return mapPage(page, toAccessRequest);
});
