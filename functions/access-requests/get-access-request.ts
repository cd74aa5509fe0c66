import { getAgent } from "../../lib/agents/agent/store.ts";
import { getAccessRequest } from "../../lib/chat/chat-user/request-store.ts";
import { toAccessRequest } from "../../lib/chat/chat-user/to-access-request.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getAccessRequest, async ({ db, ctx, params }) => {
  const [agent, request] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    getAccessRequest(db, ctx.tenant.id, params.agent, params.accessRequest),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  if (!request) throw notFound("access request", params.accessRequest);
  return toAccessRequest(request);
});
