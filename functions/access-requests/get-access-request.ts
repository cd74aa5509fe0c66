import { getAgent } from "../../lib/agent/store.ts";
import { getAccessRequest as readRequest } from "../../lib/chat-user/request-store.ts";
import { toAccessRequest } from "../../lib/chat-user/to-access-request.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { getAccessRequest } from "./routes.ts";

export const handler = endpoint(getAccessRequest, database, async ({ ctx, params }, db) => {
  const [agent, request] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    readRequest(db, ctx.tenant.id, params.agent, params.accessRequest),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  if (!request) throw notFound("access request", params.accessRequest);
  return toAccessRequest(request);
});
