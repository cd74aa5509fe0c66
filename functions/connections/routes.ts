import * as z from "zod";
import { FormBody } from "../../lib/edge/form-body.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  ClientMetadata,
  Connection,
  ConnectionId,
  ConnectionPage,
  ConnectionToken,
  CreateConnectionBody,
  connectionFilters,
} from "../../lib/integrations/connection/schemas.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("connections");
const params = { connection: ConnectionId };

export const listConnections = route({
  operation: "list-connections",
  method: "GET",
  path: "/v1/tenants/{tenant}/connections",
  summary: "Lists connections, by config",
  scope: "integrations:read",
  query: { ...pagingQuery, ...connectionFilters },
  response: { status: 200, schema: ConnectionPage },
  access: { table: "read" },
});

export const createConnection = route({
  operation: "create-connection",
  creates: "Connection",
  method: "POST",
  path: "/v1/tenants/{tenant}/connections",
  summary: "Creates a connection; a person then gives consent at its authorizeUrl",
  scope: "integrations:write",
  body: CreateConnectionBody,
  response: { status: 201, schema: Connection },
  problems: ["conflict", "upstream-failed", "upstream-timeout"],
  slots: "call",
  access: { table: "write", secrets: "seal" },
});

export const getConnection = route({
  operation: "get-connection",
  method: "GET",
  path: "/v1/tenants/{tenant}/connections/{connection}",
  summary: "Retrieves a connection",
  scope: "integrations:read",
  params,
  response: { status: 200, schema: Connection },
  access: { table: "read", secrets: "open" },
});

export const refreshConnection = route({
  operation: "refresh-connection",
  changes: "Connection",
  method: "POST",
  path: "/v1/tenants/{tenant}/connections/{connection}:refresh",
  summary: "Refreshes the tokens of a connection now",
  scope: "integrations:write",
  params,
  response: { status: 200, schema: Connection },
  problems: ["conflict", "upstream-failed", "upstream-timeout"],
  slots: "call",
  access: { table: "write", secrets: "seal" },
});

export const deleteConnection = route({
  operation: "delete-connection",
  changes: "Connection",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/connections/{connection}",
  summary: "Deletes a connection and revokes its tokens",
  scope: "integrations:write",
  params,
  response: { status: 204 },
  problems: ["upstream-failed", "upstream-timeout"],
  slots: "call",
  access: { table: "write", secrets: "open" },
});

/** The pages of a consent. */
const page = {
  description: "A page for the person who gives consent.",
  examples: { "text/html": "<!doctype html><title>Connection</title>" },
};

export const showConnectionPage = route({
  operation: "show-connection-page",
  method: "GET",
  path: "/v1/tenants/{tenant}/connection-links/{connectionToken}",
  summary: "Shows the page on which a person begins to give consent",
  scope: "public",
  signed: true,
  reply: page,
  params: { connectionToken: ConnectionToken },
  response: { status: 200 },
  problems: ["rate-limit-exceeded"],
  access: { table: "read", secrets: "open" },
});

export const beginConsent = route({
  operation: "begin-consent",
  method: "POST",
  path: "/v1/tenants/{tenant}/connection-links/{connectionToken}",
  summary: "Sends the browser to the authorization server",
  scope: "public",
  signed: true,
  reply: page,
  params: { connectionToken: ConnectionToken },
  body: FormBody,
  response: { status: 200 },
  problems: ["rate-limit-exceeded"],
  slots: "handler",
  concurrencyWeight: 1.35,
  access: { table: "write", secrets: "seal" },
});

export const finishConsent = route({
  operation: "finish-consent",
  method: "GET",
  path: "/v1/oauth/callback",
  summary: "Finishes a consent, in the browser that began it",
  scope: "public",
  reply: page,
  query: {
    "{parameter}": z
      .record(z.string(), z.string().max(8_192))
      .optional()
      .meta({ description: "The parameters of the authorization response." }),
  },
  response: { status: 200 },
  problems: ["not-found", "rate-limit-exceeded"],
  slots: "handler",
  concurrencyWeight: 1.35,
  access: { table: "write", secrets: "seal", publishes: ["schedules"] },
});

export const getClientMetadata = route({
  operation: "get-client-metadata",
  method: "GET",
  path: "/v1/oauth/client-metadata.json",
  summary: "Describes this installation as an OAuth client",
  scope: "public",
  response: { status: 200, schema: ClientMetadata },
});
