import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { getApiKey, listAuditEventsNewestFirst } from "../../lib/tenancy/api-key/store.ts";
import { toAuditEvent } from "../../lib/tenancy/api-key/to-api-key.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAuditEvents, async ({ db, ctx, params, query }) => {
  const key = await getApiKey(db, ctx.principal.organizationId, params.apiKey);
  if (!key) throw notFound("API key", params.apiKey);
  const page = await listAuditEventsNewestFirst(db, key.id, toPageRequest(query));
  return mapPage(page, toAuditEvent);
});
