import {
  Connector,
  ConnectorPage,
  ConnectorTest,
  CreateConnectorBody,
  UpdateConnectorBody,
} from "../../lib/chat/connector/schemas.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId, Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";
import {
  apiKeyAuth,
  InboundVariable,
  inboundProblems,
} from "../../lib/webhooks/delivery/schemas.ts";

const route = createDefineRoute("connectors");
const agent = ChosenId;
const connector = Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000005" });

export const listConnectors = route({
  operation: "list-connectors",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/connectors",
  summary: "Lists an agent's connectors, oldest first",
  scope: "connectors:read",
  params: { agent },
  query: pagingQuery,
  response: { status: 200, schema: ConnectorPage },
  access: { table: "read" },
});

export const createConnector = route({
  operation: "create-connector",
  creates: "Connector",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/connectors",
  summary: "Creates a connector between an agent and a chat",
  scope: "connectors:write",
  params: { agent },
  body: CreateConnectorBody,
  response: { status: 201, schema: Connector },
  problems: ["conflict"],
  access: { table: "write", secrets: "seal" },
});

export const getConnector = route({
  operation: "get-connector",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/connectors/{connector}",
  summary: "Retrieves a connector",
  scope: "connectors:read",
  params: { agent, connector },
  response: { status: 200, schema: Connector },
  access: { table: "read" },
});

export const updateConnector = route({
  operation: "update-connector",
  changes: "Connector",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/agents/{agent}/connectors/{connector}",
  summary: "Updates a connector",
  scope: "connectors:write",
  params: { agent, connector },
  body: UpdateConnectorBody,
  response: { status: 200, schema: Connector },
  problems: ["conflict"],
  access: { table: "write", secrets: "seal" },
});

export const deleteConnector = route({
  operation: "delete-connector",
  changes: "Connector",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/connectors/{connector}",
  summary: "Deletes a connector with its stored conversations",
  scope: "connectors:write",
  params: { agent, connector },
  response: { status: 204 },
  access: { table: "write", publishes: ["housekeeping"] },
});

export const testConnector = route({
  operation: "test-connector",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/connectors/{connector}:test",
  summary: "Tests a connector's credentials with a call to its provider",
  scope: "connectors:test",
  params: { agent, connector },
  response: { status: 200, schema: ConnectorTest },
  access: { table: "write", secrets: "open" },
  slots: "call",
});

const connectorProvider = InboundVariable("slack", "The connector's provider.");
const connectorId = InboundVariable("0193f0a0-7c4b-7000-8000-000000000005", "The connector's id.");
const problems = ["validation-failed", ...inboundProblems] as const;

/** The 200 with a body that some providers expect. */
const acknowledgement = {
  description:
    "For providers that expect a body: the response to the verification of the address (Slack, Discord), a command or an interaction. Empty for Meta.",
  examples: {
    "application/json": { challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" },
    "text/plain": "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
  },
};

/** The 200 to a provider that verifies the address by GET. */
const verification = {
  description: "The challenge that the provider sent.",
  examples: { "text/plain": "1158201444" },
};

export const deliverMessage = route({
  operation: "deliver-message",
  method: "POST",
  path: "/v1/tenants/{tenant}/connectors/{connectorProvider}/{connectorId}/{apiKeyAuth}",
  summary: "Receives a chat message authenticated by the API key in the path",
  scope: "public",
  inbound: true,
  reply: acknowledgement,
  params: { connectorProvider, connectorId, apiKeyAuth },
  response: { status: 204 },
  problems,
  access: { table: "write", bucket: "put", secrets: "open", publishes: ["chats"] },
});

export const verifyConnector = route({
  operation: "verify-connector",
  method: "GET",
  path: "/v1/tenants/{tenant}/connectors/{connectorProvider}/{connectorId}/{apiKeyAuth}",
  summary: "Responds to a chat provider's verification of the address",
  scope: "public",
  inbound: true,
  reply: verification,
  params: { connectorProvider, connectorId, apiKeyAuth },
  response: { status: 200 },
  problems,
  access: { table: "read", secrets: "open" },
});
