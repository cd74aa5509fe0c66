import {
  AccessRequest,
  AccessRequestPage,
  AccessRequestStatus,
  DecideAccessRequestBody,
} from "../../lib/chat/chat-user/schemas.ts";
import { routesOf } from "../../lib/edge/route.ts";
import { ChosenId, Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = routesOf("access-requests");
const accessRequest = Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000007" });

export const listAccessRequests = route({
  operation: "list-access-requests",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests",
  summary: "List chat users' requests to be let in to an agent, newest first",
  scope: "chat_users:read",
  params: { agent: ChosenId },
  query: {
    ...pagingQuery,
    status: AccessRequestStatus.optional().meta({ description: "Only those of this status." }),
  },
  response: { status: 200, schema: AccessRequestPage },
  access: { table: "read" },
});

export const getAccessRequest = route({
  operation: "get-access-request",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests/{accessRequest}",
  summary: "Read one access request",
  scope: "chat_users:read",
  params: { agent: ChosenId, accessRequest },
  response: { status: 200, schema: AccessRequest },
  access: { table: "read" },
});

export const approveAccessRequest = route({
  operation: "approve-access-request",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests/{accessRequest}:approve",
  summary: "Let a chat user in, and answer the message that asked for it",
  scope: "chat_users:write",
  params: { agent: ChosenId, accessRequest },
  body: DecideAccessRequestBody,
  response: { status: 200, schema: AccessRequest },
  problems: ["conflict"],
  access: { table: "write", publishes: ["chats", "events"] },
});

export const rejectAccessRequest = route({
  operation: "reject-access-request",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests/{accessRequest}:reject",
  summary: "Do not let a chat user in",
  scope: "chat_users:write",
  params: { agent: ChosenId, accessRequest },
  body: DecideAccessRequestBody,
  response: { status: 200, schema: AccessRequest },
  problems: ["conflict"],
  access: { table: "write", publishes: ["events"] },
});
