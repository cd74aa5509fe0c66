import { getAgent } from "../../lib/agent/store.ts";
import { toChatUser } from "../../lib/chat-user/to-chat-user.ts";
import { listChatUsers as readChatUsers } from "../../lib/chat-user/user-store.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { notFound } from "../../lib/http/problems.ts";
import { listChatUsers } from "./routes.ts";

export const handler = endpoint(listChatUsers, database, async ({ ctx, params, query }, db) => {
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    readChatUsers(db, ctx.tenant.id, params.agent, toPageRequest(query)),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return mapPage(page, toChatUser);
});
