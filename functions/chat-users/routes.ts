import { ChatUserPage } from "../../lib/chat/chat-user/schemas.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId, Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("chat-users");

export const listChatUsers = route({
  operation: "list-chat-users",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUsers",
  summary: "Lists an agent's chat users by connector",
  scope: "chat_users:read",
  params: { agent: ChosenId },
  query: pagingQuery,
  response: { status: 200, schema: ChatUserPage },
  access: { table: "read" },
});

export const deleteChatUser = route({
  operation: "delete-chat-user",
  changes: "ChatUser",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUsers/{chatUser}",
  summary: "Deletes a chat user with their pending access request, sessions, memories and files",
  scope: "chat_users:write",
  params: {
    agent: ChosenId,
    chatUser: Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000008" }),
  },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write", publishes: ["housekeeping"] },
});
