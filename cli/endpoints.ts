import {
  listApiKeys,
  listAuditEvents,
  listScopes,
  revokeApiKey,
} from "../functions/api-keys/routes.ts";
import { getTenant } from "../functions/tenants/routes.ts";
import type { Route } from "../lib/edge/route.ts";

/** What the tool needs of a row of the API. */
export type Endpoint = Pick<Route, "method" | "path">;

/** Every endpoint that the tool calls. */
export const endpoints = { getTenant, listApiKeys, revokeApiKey, listAuditEvents, listScopes };
