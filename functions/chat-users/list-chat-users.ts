import { getAgent } from "../../lib/agents/agent/store.ts";
import { toChatUser } from "../../lib/chat/chat-user/to-chat-user.ts";
import { listChatUsers } from "../../lib/chat/chat-user/user-store.ts";
import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listChatUsers, async ({ db, ctx, params, query }) => {
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listChatUsers(db, ctx.tenant.id, params.agent, toPageRequest(query)),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return mapPage(page, toChatUser);
});
