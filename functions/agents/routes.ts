import { Agent, CreateAgentBody, UpdateAgentBody } from "../../lib/agents/agent/schemas.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { pageSchema, pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("agents");

export const listAgents = route({
  operation: "list-agents",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents",
  summary: "Lists agents by id",
  scope: "agents:read",
  query: pagingQuery,
  response: { status: 200, schema: pageSchema(Agent, "AgentPage") },
  access: { table: "read" },
});

export const createAgent = route({
  operation: "create-agent",
  creates: "Agent",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents",
  summary: "Creates an agent",
  scope: "agents:write",
  body: CreateAgentBody,
  response: { status: 201, schema: Agent },
  problems: ["conflict"],
  access: { table: "write", publishes: ["housekeeping"] },
});

export const getAgent = route({
  operation: "get-agent",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}",
  summary: "Retrieves an agent",
  scope: "agents:read",
  params: { agent: ChosenId },
  response: { status: 200, schema: Agent },
  access: { table: "read" },
});

export const updateAgent = route({
  operation: "update-agent",
  changes: "Agent",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/agents/{agent}",
  summary: "Updates an agent's name, description or picture",
  scope: "agents:write",
  params: { agent: ChosenId },
  body: UpdateAgentBody,
  response: { status: 200, schema: Agent },
  access: { table: "write" },
});

export const deleteAgent = route({
  operation: "delete-agent",
  changes: "Agent",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}",
  summary: "Deletes an agent with its revisions and execution records",
  scope: "agents:write",
  role: "Owner",
  params: { agent: ChosenId },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write", publishes: ["housekeeping", "schedules"] },
});
