import { endpoint } from "../../lib/edge/endpoint.ts";
import { fitDetail } from "../../lib/executions/record/read-detail.ts";
import { requireScopeOrStarter } from "../../lib/executions/record/require-starter.ts";
import { atBasePath } from "../../lib/executions/record/results.ts";
import { toScores } from "../../lib/executions/record/scores.ts";
import { getExecution } from "../../lib/executions/record/store.ts";
import { readEnd, readInput } from "../../lib/executions/record/values.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getExecutionRecord, async ({ ctx, params }) => {
  const storage = { db: database(), objects: objectStore() };
  const found = await getExecution(storage.db, ctx.tenant.id, params.agent, params.executionRecord);
  requireScopeOrStarter(ctx.principal, rows.getExecutionRecord.scope, found?.item.trigger);
  if (!found) throw notFound("execution record", params.executionRecord);
  const [{ input, metadata }, end] = await Promise.all([
    readInput(storage, found),
    readEnd(storage, found),
  ]);
  const values = fitDetail({ input: input.input, output: end?.output ?? null });
  const error = atBasePath(end?.error, ctx.basePath);
  return { ...found.item, ...values, error, metadata, scores: toScores(found.scores) };
});
