import { getAgent } from "../../lib/agent/store.ts";
import { database } from "../../lib/db/database.ts";
import { listExecutionsNewestFirst } from "../../lib/execution/store.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { notFound, validationFailed } from "../../lib/http/problems.ts";
import { listExecutionRecords } from "./routes.ts";

export const handler = endpoint(
  listExecutionRecords,
  database,
  async ({ ctx, params, query }, db) => {
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
  },
);
