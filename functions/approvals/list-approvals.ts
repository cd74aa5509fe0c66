import { listReadableApprovals } from "../../lib/approvals/list-approvals.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listApprovals, ({ db, ctx, query }) =>
  listReadableApprovals(
    db,
    { tenant: ctx.tenant, principal: ctx.principal, filter: query, now: ctx.clock() },
    toPageRequest(query),
  ),
);
