import { listReadableApprovals } from "../../lib/approvals/list-approvals.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listApprovals, ({ db, ctx, query }) =>
  listReadableApprovals(
    db,
    { tenant: ctx.tenant, principal: ctx.principal, filter: query, now: ctx.clock() },
    toPageRequest(query),
  ),
);
