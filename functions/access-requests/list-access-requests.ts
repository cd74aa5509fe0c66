import { getAgent } from "../../lib/agent/store.ts";
import { listAccessRequests as readRequests } from "../../lib/chat-user/request-store.ts";
import { toAccessRequest } from "../../lib/chat-user/to-access-request.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { notFound } from "../../lib/http/problems.ts";
import { listAccessRequests } from "./routes.ts";

export const handler = endpoint(
  listAccessRequests,
  database,
  async ({ ctx, params, query }, db) => {
    const [agent, page] = await Promise.all([
      getAgent(db, ctx.tenant.id, params.agent),
      readRequests(db, ctx.tenant.id, params.agent, query.status, toPageRequest(query)),
    ]);
    if (!agent) throw notFound("agent", params.agent);
    return mapPage(page, toAccessRequest);
  },
);
