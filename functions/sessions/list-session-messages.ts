import { listMessages } from "../../lib/executions/session/read-sessions.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listSessionMessages, ({ db, ctx, params, query }) => {
  const { agent: agentId, session: sessionId } = params;
  const { principal, tenant } = ctx;
  const read = { tenantId: tenant.id, agentId, sessionId, principal, now: ctx.clock() };
  return listMessages(
    { db, objects: objectStore() },
    {
      read,
      page: toPageRequest(query),
      order: query.order,
    },
  );
});
