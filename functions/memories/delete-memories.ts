import { deleteMemories } from "../../lib/memory/delete-memories.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteMemories, async ({ db, ctx, params, query }) => {
  await deleteMemories(
    { db, send, runtime: systemRuntime },
    { tenantId: ctx.tenant.id, agentId: params.agent, namespace: query.namespace },
  );
  return undefined;
});
