import { listExecutions, toFilter } from "../../lib/executions/read/list-executions.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound, validationFailed } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listExecutionRecords, async ({ db, ctx, params, query }) => {
  const { startTime: from, endTime: to } = query;
  if (from !== undefined && to !== undefined && from > to) {
    throw validationFailed([{ pointer: "query/startTime", detail: "must not be after endTime" }]);
  }
  const matches = toFilter(query);
  const agent = { tenantId: ctx.tenant.id, agentId: params.agent, readAgent: ctx.readAgent };
  const page = await listExecutions(
    db,
    agent,
    { from, to, matches, now: ctx.clock() },
    toPageRequest(query),
  );
  if (!page) throw notFound("agent", params.agent);
  return page;
});
