import { deleteChatUser } from "../../lib/chat/chat-user/delete-chat-user.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.deleteChatUser, async ({ db, ctx, params }) => {
  await deleteChatUser(deps(db), {
    tenantId: ctx.tenant.id,
    agentId: params.agent,
    chatUserId: params.chatUser,
  });
  return undefined;
});
