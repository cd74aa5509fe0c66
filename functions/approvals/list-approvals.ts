import { listReadableApprovals } from "../../lib/approvals/list-approvals.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listApprovals, ({ db, ctx, query }) =>
  listReadableApprovals(
    db,
    { tenantId: ctx.tenant.id, principal: ctx.principal, filter: query },
    toPageRequest(query),
  ),
);
