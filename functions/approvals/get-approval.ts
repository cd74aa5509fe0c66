import { readApproval } from "../../lib/approvals/read-approval.ts";
import { toApproval } from "../../lib/approvals/to-approval.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getApproval, async ({ db, ctx, params }) => {
  const { principal, tenant } = ctx;
  const key = { tenantId: tenant.id, principal, approvalId: params.approval };
  return toApproval(await readApproval(db, key), principal);
});
