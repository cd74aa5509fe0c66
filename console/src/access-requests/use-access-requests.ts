import { unwrapBody } from "../../../client/client.ts";
import type { ChatUserAccessRequest } from "../../../client/openapi.ts";
import { useListOfAgents } from "../agent-queries/use-list-of-agents.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import type { ShownStatus } from "./shown-status.ts";

const requestsPath = "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests";
const requestPath = `${requestsPath}/{accessRequest}` as const;

/** Lists the access requests of an agent, or of all agents, newest first; new ones appear by themselves. */
export const useAccessRequests = (agent: string | undefined, status: ShownStatus) => {
  const client = useClient();
  const tenant = useTenant();
  const list = useListOfAgents<ChatUserAccessRequest>({
    queryKey: ["access-requests", { status }],
    agent,
    isLive: true,
    getId: ({ id }) => id,
    read: (of, page) =>
      unwrapBody(
        client.GET(requestsPath, {
          params: {
            path: { tenant, agent: of },
            query: { ...page, ...(status !== "All" && { status }) },
          },
        }),
      ),
  });
  return { ...list, items: list.items.toSorted((left, right) => right.createdAt - left.createdAt) };
};

/** Approves or rejects an access request. */
export const useDecide = (request: ChatUserAccessRequest, decision: "approve" | "reject") =>
  useAction(
    ["access-requests", "chat-users"],
    ({ client, tenant }, note: string) => {
      const path = { tenant, agent: request.agentId, accessRequest: request.id };
      const options = { params: { path }, body: { note: note.trim() === "" ? null : note } };
      return decision === "approve"
        ? unwrapBody(client.POST(`${requestPath}:approve`, options))
        : unwrapBody(client.POST(`${requestPath}:reject`, options));
    },
    // Another user may have decided.
    {
      done: decision === "approve" ? "Approved the request." : "Rejected the request.",
      isReadAfterRefusal: true,
    },
  );
