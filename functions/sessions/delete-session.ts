import { deleteSession } from "../../lib/executions/session/delete-session.ts";
import { toSessionPlace } from "../../lib/executions/session/keys.ts";
import { requireSeen } from "../../lib/executions/session/read-sessions.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteSession, async ({ db, ctx, params }) => {
  const { agent: agentId, session: sessionId } = params;
  const place = toSessionPlace(ctx.tenant.id, agentId, sessionId);
  await deleteSession(
    { db, send, runtime: systemRuntime },
    {
      place,
      sessionId,
      authorize: (item) => requireSeen(ctx.principal, item, sessionId),
    },
  );
  return undefined;
});
