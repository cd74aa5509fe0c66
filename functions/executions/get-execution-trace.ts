import { endpoint } from "../../lib/edge/endpoint.ts";
import { readTrace } from "../../lib/executions/record/read-detail.ts";
import { atBasePath } from "../../lib/executions/record/results.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(rows.getExecutionTrace, async ({ ctx, params }) => {
  const { agent, executionRecord } = params;
  const { executionId, spans } = await readTrace(deps(), ctx.tenant.id, agent, executionRecord);
  const atCaller = spans.map((span) => ({ ...span, error: atBasePath(span.error, ctx.basePath) }));
  return { executionId, spans: atCaller };
});
