import {
  atBasePath,
  fitDetail,
  readWaits,
  requireScopeOrStarter,
} from "../../lib/executions/read/read-execution.ts";
import { collectCitations, fitCitations } from "../../lib/executions/read/read-spans.ts";
import { getKeptExecution } from "../../lib/executions/record/store.ts";
import { readEnd, readInput } from "../../lib/executions/record/values.ts";
import { toScores } from "../../lib/executions/scores.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getExecutionRecord, async ({ db, ctx, params }) => {
  const storage = { db, objects: objectStore() };
  const { agent: agentId, executionRecord: executionId } = params;
  const place = { agentId, executionId, now: ctx.clock() };
  const found = await getKeptExecution(storage.db, ctx.tenant.id, place);
  requireScopeOrStarter(ctx.principal, rows.getExecutionRecord.scope, found?.item.trigger);
  if (!found) throw notFound("execution record", executionId);
  const [{ input }, end, waits] = await Promise.all([
    readInput(storage, found),
    readEnd(storage, found),
    readWaits(db, found.item, place.now),
  ]);
  const values = fitDetail({ input, output: end?.output ?? null });
  const { input: shown, output } = values;
  const citations = fitCitations(collectCitations(end?.trace ?? []), [shown, output]);
  const { metadata = {} } = found.item;
  const error = atBasePath(end?.error, ctx.basePath);
  return {
    ...found.item,
    ...values,
    citations,
    error,
    metadata,
    scores: toScores(found.scores),
    waits,
  };
});
