import { createDefineRoute } from "../../lib/edge/route.ts";
import { Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery, queryFlag } from "../../lib/platform/http/paging.ts";
import {
  ApiKey,
  ApiKeyPage,
  AuditEventPage,
  CurrentApiKey,
  GenerateApiKeyBody,
  IssuedApiKey,
  RotateApiKeyBody,
  ScopeCatalog,
  UpdateApiKeyBody,
} from "../../lib/tenancy/api-key/schemas.ts";

const route = createDefineRoute("api-keys");
const params = { apiKey: Uuid };

export const listApiKeys = route({
  operation: "list-api-keys",
  method: "GET",
  path: "/v1/tenants/{tenant}/apiKeys",
  summary: "Lists the organization's API keys, oldest first",
  scope: "keys:read",
  query: { ...pagingQuery, includeRevoked: queryFlag("Whether to include revoked keys.") },
  response: { status: 200, schema: ApiKeyPage },
  access: { table: "read" },
});

export const generateApiKey = route({
  operation: "generate-api-key",
  creates: "ApiKey",
  method: "POST",
  path: "/v1/tenants/{tenant}/apiKeys:generate",
  summary: "Creates an API key; only this response shows it",
  scope: "keys:write",
  body: GenerateApiKeyBody,
  response: { status: 201, schema: IssuedApiKey },
  shownOnce: ["key"],
  problems: ["scope-escalation"],
  access: { table: "write", publishes: ["events"] },
});

export const rotateApiKey = route({
  operation: "rotate-api-key",
  changes: "ApiKey",
  method: "POST",
  path: "/v1/tenants/{tenant}/apiKeys/{apiKey}:rotate",
  summary: "Rotates an API key's secret; only this response shows it",
  scope: "keys:write",
  params,
  body: RotateApiKeyBody,
  response: { status: 200, schema: IssuedApiKey },
  shownOnce: ["key"],
  problems: ["scope-escalation", "conflict"],
  access: { table: "write", publishes: ["events"] },
});

export const updateApiKey = route({
  operation: "update-api-key",
  changes: "ApiKey",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/apiKeys/{apiKey}",
  summary: "Updates an API key's name, scopes or expiry",
  scope: "keys:write",
  params,
  body: UpdateApiKeyBody,
  response: { status: 200, schema: ApiKey },
  problems: ["scope-escalation", "conflict"],
  access: { table: "write", publishes: ["events"] },
});

export const revokeApiKey = route({
  operation: "revoke-api-key",
  changes: "ApiKey",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/apiKeys/{apiKey}",
  summary: "Revokes an API key; its record and audit events are kept",
  scope: "keys:write",
  params,
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write", publishes: ["events"] },
});

export const listAuditEvents = route({
  operation: "list-audit-events",
  method: "GET",
  path: "/v1/tenants/{tenant}/apiKeys/{apiKey}/auditEvents",
  summary: "Lists an API key's audit events, newest first",
  scope: "keys:read",
  params,
  query: pagingQuery,
  response: { status: 200, schema: AuditEventPage },
  access: { table: "read" },
});

export const getCurrentApiKey = route({
  operation: "get-current-api-key",
  method: "GET",
  path: "/v1/tenants/{tenant}/apiKeys/current",
  summary: "Retrieves the calling API key without its secret",
  scope: "api-key",
  response: { status: 200, schema: CurrentApiKey },
  access: { table: "read" },
});

export const listScopes = route({
  operation: "list-scopes",
  method: "GET",
  path: "/v1/tenants/{tenant}/apiKeys/scopes",
  summary: "Retrieves the catalog of scopes and presets",
  scope: "authenticated",
  response: { status: 200, schema: ScopeCatalog },
  access: { table: "read" },
});
