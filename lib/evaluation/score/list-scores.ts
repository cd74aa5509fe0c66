import { getKeptExecution } from "../../executions/record/store.ts";
import { type Score, toScores } from "../../executions/scores.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { Scored } from "./put-score.ts";

/** Lists the scores of an execution, oldest first. Throws 404. */
export const listScores = async (
  db: Database,
  { tenantId, agentId, executionId, now }: Scored & { now: number },
  { size, skip }: PageRequest,
): Promise<Page<Score>> => {
  const execution = await getKeptExecution(db, tenantId, { agentId, executionId, now });
  if (!execution) throw notFound("execution record", executionId);
  const scores = toScores(execution.scores);
  const end = skip + size;
  return {
    items: scores.slice(skip, end),
    nextPageToken: end < scores.length ? String(end) : null,
  };
};
