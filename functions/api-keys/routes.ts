import {
  CurrentApiKey,
  GenerateApiKeyBody,
  IssuedApiKey,
  ScopeCatalog,
} from "../../lib/api-key/schemas.ts";
import { routesOf } from "../../lib/http/route.ts";

const route = routesOf("api-keys");

export const generateApiKey = route({
  operation: "generate-api-key",
  method: "POST",
  path: "/v1/tenants/{tenant}/apiKeys:generate",
  summary: "Mint an API key; the answer is the one place that shows it",
  scope: "keys:write",
  body: GenerateApiKeyBody,
  response: { status: 201, schema: IssuedApiKey },
  problems: ["scope-escalation"],
  access: { table: "write" },
});

export const getCurrentApiKey = route({
  operation: "get-current-api-key",
  method: "GET",
  path: "/v1/tenants/{tenant}/apiKeys/current",
  summary: "Read the calling key, without its secret",
  scope: "api-key",
  response: { status: 200, schema: CurrentApiKey },
  access: { table: "read" },
});

export const listScopes = route({
  operation: "list-scopes",
  method: "GET",
  path: "/v1/tenants/{tenant}/apiKeys/scopes",
  summary: "Read the live scope catalog",
  scope: "authenticated",
  response: { status: 200, schema: ScopeCatalog },
  access: { table: "read" },
});
