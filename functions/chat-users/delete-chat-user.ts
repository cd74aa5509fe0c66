import { deleteChatUser } from "../../lib/chat/chat-user/delete-chat-user.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteChatUser, async ({ db, ctx, params }) => {
  await deleteChatUser(
    { db, send, runtime: systemRuntime },
    { tenantId: ctx.tenant.id, agentId: params.agent, chatUserId: params.chatUser },
  );
  return undefined;
});
