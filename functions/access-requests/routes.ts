import {
  AccessRequest,
  AccessRequestPage,
  AccessRequestStatus,
  DecideAccessRequestBody,
} from "../../lib/chat/chat-user/schemas.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId, Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("access-requests");
const accessRequest = Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000007" });

export const listAccessRequests = route({
  operation: "list-access-requests",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests",
  summary: "Lists an agent's chat user access requests, newest first",
  scope: "chat_users:read",
  params: { agent: ChosenId },
  query: {
    ...pagingQuery,
    status: AccessRequestStatus.optional().meta({
      description: "Returns only access requests with this status.",
    }),
  },
  response: { status: 200, schema: AccessRequestPage },
  access: { table: "read" },
});

export const getAccessRequest = route({
  operation: "get-access-request",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests/{accessRequest}",
  summary: "Retrieves a chat user access request",
  scope: "chat_users:read",
  params: { agent: ChosenId, accessRequest },
  response: { status: 200, schema: AccessRequest },
  access: { table: "read" },
});

export const approveAccessRequest = route({
  operation: "approve-access-request",
  changes: "AccessRequest",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests/{accessRequest}:approve",
  summary: "Approves an access request and replies to the message that created it",
  scope: "chat_users:write",
  params: { agent: ChosenId, accessRequest },
  body: DecideAccessRequestBody,
  response: { status: 200, schema: AccessRequest },
  problems: ["conflict"],
  access: { table: "write", publishes: ["chats", "events"] },
});

export const rejectAccessRequest = route({
  operation: "reject-access-request",
  changes: "AccessRequest",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests/{accessRequest}:reject",
  summary: "Rejects an access request",
  scope: "chat_users:write",
  params: { agent: ChosenId, accessRequest },
  body: DecideAccessRequestBody,
  response: { status: 200, schema: AccessRequest },
  problems: ["conflict"],
  access: { table: "write", publishes: ["events"] },
});
