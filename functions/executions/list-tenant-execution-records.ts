import { listExecutions, toStartRange } from "../../lib/executions/read/list-executions.ts";
import {
  listTenantExecutions,
  toFilter,
} from "../../lib/executions/read/list-tenant-executions.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listTenantExecutionRecords, async ({ db, ctx, query }) => {
  const { agentId } = query;
  const selection = { ...toStartRange(query), matches: toFilter(query), now: ctx.clock() };
  const [tenantId, request] = [ctx.tenant.id, toPageRequest(query)];
  if (agentId === undefined) return listTenantExecutions(db, tenantId, selection, request);
  const page = await listExecutions(db, { tenantId, agentId }, selection, request);
  if (!page) throw notFound("agent", agentId);
  return page;
});
