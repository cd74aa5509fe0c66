import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  CreateIntegrationConfigBody,
  IntegrationConfig,
  IntegrationConfigPage,
  PublishIntegrationConfigBody,
  UpdateIntegrationConfigBody,
} from "../../lib/integrations/config/schemas.ts";
import { Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("integration-configs");
const params = { config: Uuid };

export const listIntegrationConfigs = route({
  operation: "list-integration-configs",
  method: "GET",
  path: "/v1/tenants/{tenant}/integration-configs",
  summary: "Lists integration configs, oldest first",
  scope: "integrations:read",
  query: pagingQuery,
  response: { status: 200, schema: IntegrationConfigPage },
  access: { table: "read" },
});

export const createIntegrationConfig = route({
  operation: "create-integration-config",
  creates: "IntegrationConfig",
  method: "POST",
  path: "/v1/tenants/{tenant}/integration-configs",
  summary: "Creates an integration config; it is used once it is published",
  scope: "integrations:write",
  body: CreateIntegrationConfigBody,
  response: { status: 201, schema: IntegrationConfig },
  shownOnce: ["mcpKey"],
  access: { table: "write", secrets: "seal", publishes: ["events"] },
});

export const getIntegrationConfig = route({
  operation: "get-integration-config",
  method: "GET",
  path: "/v1/tenants/{tenant}/integration-configs/{config}",
  summary: "Retrieves the latest revision of an integration config",
  scope: "integrations:read",
  params,
  response: { status: 200, schema: IntegrationConfig },
  access: { table: "read" },
});

export const updateIntegrationConfig = route({
  operation: "update-integration-config",
  changes: "IntegrationConfig",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/integration-configs/{config}",
  summary: "Creates the next revision of an integration config; the published one stays in use",
  scope: "integrations:write",
  params,
  body: UpdateIntegrationConfigBody,
  response: { status: 200, schema: IntegrationConfig },
  shownOnce: ["mcpKey"],
  problems: ["conflict"],
  access: { table: "write", secrets: "seal", publishes: ["events"] },
});

export const deleteIntegrationConfig = route({
  operation: "delete-integration-config",
  changes: "IntegrationConfig",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/integration-configs/{config}",
  summary:
    "Deletes an integration config with its credentials and connections, and revokes its MCP key",
  scope: "integrations:write",
  params,
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write", publishes: ["events", "housekeeping"] },
});

export const publishIntegrationConfig = route({
  operation: "publish-integration-config",
  changes: "IntegrationConfig",
  method: "POST",
  path: "/v1/tenants/{tenant}/integration-configs/{config}:publish",
  summary: "Publishes a revision of an integration config",
  scope: "integrations:write",
  params,
  body: PublishIntegrationConfigBody,
  response: { status: 200, schema: IntegrationConfig },
  shownOnce: ["mcpKey"],
  problems: ["conflict"],
  access: { table: "write" },
});

export const rotateMcpKey = route({
  operation: "rotate-mcp-key",
  changes: "IntegrationConfig",
  method: "POST",
  path: "/v1/tenants/{tenant}/integration-configs/{config}:rotate-mcp-key",
  summary: "Rotates the secret of a config's MCP key; only this response shows it",
  scope: "integrations:write",
  params,
  response: { status: 200, schema: IntegrationConfig },
  shownOnce: ["mcpKey"],
  problems: ["scope-escalation", "conflict"],
  access: { table: "write", publishes: ["events"] },
});
