import { createDefineRoute } from "../../lib/edge/route.ts";
import { EndUserId, SessionId } from "../../lib/executions/schemas.ts";
import {
  AgentSession,
  MessageOrder,
  SessionMessagePage,
  SessionPage,
} from "../../lib/executions/session/schemas.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("sessions");

export const listSessions = route({
  operation: "list-sessions",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/sessions",
  summary: "Lists the sessions of an agent, newest first",
  scope: "executions:read",
  starterScope: "agents:execute",
  params: { agent: ChosenId },
  query: {
    ...pagingQuery,
    endUserId: EndUserId.optional().meta({
      description: "Returns only sessions of this end user.",
    }),
  },
  response: { status: 200, schema: SessionPage },
  access: { table: "read" },
});

export const getSession = route({
  operation: "get-session",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/sessions/{session}",
  summary: "Retrieves a session",
  scope: "executions:read",
  starterScope: "agents:execute",
  params: { agent: ChosenId, session: SessionId },
  response: { status: 200, schema: AgentSession },
  access: { table: "read" },
});

export const listSessionMessages = route({
  operation: "list-session-messages",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/sessions/{session}/messages",
  summary: "Lists the messages of a session",
  scope: "executions:read",
  starterScope: "agents:execute",
  params: { agent: ChosenId, session: SessionId },
  query: { ...pagingQuery, order: MessageOrder },
  response: { status: 200, schema: SessionMessagePage },
  access: { table: "read", bucket: "read" },
});

export const deleteSessions = route({
  operation: "delete-sessions",
  changes: "Session",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/sessions",
  summary: "Deletes an end user's sessions, and the memories that were taken in them",
  scope: "agents:execute",
  params: { agent: ChosenId },
  query: { endUserId: EndUserId.meta({ description: "The end user to delete." }) },
  response: { status: 204 },
  access: { table: "write", publishes: ["housekeeping"] },
});

export const deleteSession = route({
  operation: "delete-session",
  changes: "Session",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/sessions/{session}",
  summary: "Deletes a session with its messages",
  scope: "agents:execute",
  params: { agent: ChosenId, session: SessionId },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write", publishes: ["housekeeping"] },
});
