import { deleteChatUser } from "../../lib/chat/chat-user/delete-chat-user.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.deleteChatUser, async ({ ctx, params }) => {
  await deleteChatUser(deps(), {
    tenantId: ctx.tenant.id,
    agentId: params.agent,
    chatUserId: params.chatUser,
  });
  return undefined;
});
