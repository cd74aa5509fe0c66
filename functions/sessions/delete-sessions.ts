import { eraseEndUser } from "../../lib/memory/erase-person.ts";
import { insufficientScope } from "../../lib/platform/http/problems.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { hasScope } from "../../lib/tenancy/collaborator/may.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

/** In addition to the scope of the row: without it, a caller sees only the sessions that it started. */
const seeingScope = "executions:read";

export const handler = endpoint(rows.deleteSessions, async ({ db, ctx, params, query }) => {
  if (!hasScope(ctx.principal, seeingScope)) throw insufficientScope(seeingScope);
  await eraseEndUser(
    { db, send, runtime: systemRuntime },
    { tenantId: ctx.tenant.id, agentId: params.agent, endUserId: query.endUserId },
  );
  return undefined;
});
