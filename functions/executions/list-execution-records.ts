import { getAgent } from "../../lib/agents/agent/store.ts";
import { toFilter } from "../../lib/agents/execution/filter-executions.ts";
import { listExecutionsNewestFirst } from "../../lib/agents/execution/store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound, validationFailed } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listExecutionRecords, async ({ ctx, params, query }) => {
  const db = database();
  const span = { from: query.startTime, to: query.endTime };
  if (span.from !== undefined && span.to !== undefined && span.from > span.to) {
    throw validationFailed([{ pointer: "query/startTime", detail: "must not be after endTime" }]);
  }
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listExecutionsNewestFirst(
      db,
      ctx.tenant.id,
      params.agent,
      span,
      toPageRequest(query),
      toFilter(query),
    ),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return page;
});
