import {
  listApiKeys,
  listAuditEvents,
  listScopes,
  revokeApiKey,
} from "../functions/api-keys/routes.ts";
import { getTenant } from "../functions/tenants/routes.ts";
import type { Route } from "../lib/edge/route.ts";

/** The members of a row that a call needs. */
export type Endpoint = Pick<Route, "method" | "path">;

/** Every endpoint that the tool calls. */
export const endpoints = { getTenant, listApiKeys, revokeApiKey, listAuditEvents, listScopes };
