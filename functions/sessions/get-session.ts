import { readOwnSession } from "../../lib/executions/session/read-sessions.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getSession, async ({ db, ctx, params }) => {
  const { agent: agentId, session: sessionId } = params;
  const { principal, tenant } = ctx;
  const read = { tenantId: tenant.id, agentId, sessionId, principal, now: ctx.clock() };
  return (await readOwnSession(db, read)).shown;
});
