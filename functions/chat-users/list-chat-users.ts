import { getAgent } from "../../lib/agent/store.ts";
import { toChatUser } from "../../lib/chat-user/to-chat-user.ts";
import { listChatUsers } from "../../lib/chat-user/user-store.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { notFound } from "../../lib/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listChatUsers, async ({ ctx, params, query }) => {
  const db = database();
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listChatUsers(db, ctx.tenant.id, params.agent, toPageRequest(query)),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return mapPage(page, toChatUser);
});
