import { getAgent } from "../../lib/agent/store.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { listExecutionsNewestFirst } from "../../lib/execution/store.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { notFound, validationFailed } from "../../lib/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listExecutionRecords, async ({ ctx, params, query }) => {
  const db = database();
  const span = { from: query.startTime, to: query.endTime };
  if (span.from !== undefined && span.to !== undefined && span.from > span.to) {
    throw validationFailed([{ pointer: "query/startTime", detail: "must not be after endTime" }]);
  }
  const [agent, page] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listExecutionsNewestFirst(db, ctx.tenant.id, params.agent, span, toPageRequest(query)),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return page;
});
