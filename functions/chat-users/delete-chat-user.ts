import { deleteChatUser as remove } from "../../lib/chat-user/delete-chat-user.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { deleteChatUser } from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(deleteChatUser, deps, async ({ ctx, params }, deps) => {
  await remove(ctx.tenant.id, { agentId: params.agent, chatUserId: params.chatUser }, deps);
  return undefined;
});
