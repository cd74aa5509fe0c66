import { atBasePath, readTrace } from "../../lib/executions/read/read-execution.ts";
import { showMemories } from "../../lib/memory/show-memories.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(rows.getExecutionTrace, async ({ db, ctx, params }) => {
  const { agent, executionRecord } = params;
  const key = { tenantId: ctx.tenant.id, agentId: agent, executionId: executionRecord };
  const trace = await readTrace(deps(db), { ...key, now: ctx.clock() });
  const { executionId } = trace;
  const spans = await showMemories(db, key, trace.spans);
  const atCaller = spans.map((span) => ({ ...span, error: atBasePath(span.error, ctx.basePath) }));
  return { executionId, spans: atCaller };
});
