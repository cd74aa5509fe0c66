import { unwrapBody } from "../../../client/client.ts";
import type { ChatUser } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const chatUsersPath = "/v1/tenants/{tenant}/agents/{agent}/chatUsers";

/** Lists the chat users of an agent. */
export const useChatUsers = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<ChatUser>({
    queryKey: [tenant, "chat-users", agent],
    getId: ({ id }) => id,
    isLive: true,
    read: (query) =>
      unwrapBody(client.GET(chatUsersPath, { params: { path: { tenant, agent }, query } })),
  });
};

/** Deletes a chat user, with the pending request. */
export const useDeleteChatUser = ({ agentId: agent, id: chatUser }: ChatUser) =>
  useAction(["chat-users", "access-requests"], ({ client, tenant }) =>
    client.DELETE(`${chatUsersPath}/{chatUser}`, {
      params: { path: { tenant, agent, chatUser } },
    }),
  );
