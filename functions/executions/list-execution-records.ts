import { toFilter } from "../../lib/agents/execution/filter-executions.ts";
import { listExecutions } from "../../lib/agents/execution/list-executions.ts";
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
  const of = { tenantId: ctx.tenant.id, agentId: params.agent };
  const page = await listExecutions(db, of, span, toPageRequest(query), toFilter(query));
  if (!page) throw notFound("agent", params.agent);
  return page;
});
