import { listExecutions, toStartRange } from "../../lib/executions/read/list-executions.ts";
import { toFilter } from "../../lib/executions/read/list-tenant-executions.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listExecutionRecords, async ({ db, ctx, params, query }) => {
  const selection = { ...toStartRange(query), matches: toFilter(query), now: ctx.clock() };
  const agent = { tenantId: ctx.tenant.id, agentId: params.agent, readAgent: ctx.readAgent };
  const page = await listExecutions(db, agent, selection, toPageRequest(query));
  if (!page) throw notFound("agent", params.agent);
  return page;
});
