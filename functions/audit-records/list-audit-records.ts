import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { validationFailed } from "../../lib/platform/http/problems.ts";
import { listAuditRecordsNewestFirst } from "../../lib/tenancy/audit/store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAuditRecords, ({ db, ctx, query }) => {
  const { from, to } = query;
  if (from !== undefined && to !== undefined && from > to) {
    throw validationFailed([{ pointer: "query/from", detail: "must not be after to" }]);
  }
  return listAuditRecordsNewestFirst(
    db,
    ctx.principal.organizationId,
    { ...query, now: ctx.clock() },
    toPageRequest(query),
  );
});
