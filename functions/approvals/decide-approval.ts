import { decideApproval } from "../../lib/approvals/decide-approval.ts";
import { toApproval } from "../../lib/approvals/to-approval.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.decideApproval, async ({ db, ctx, params, body }) => {
  const approval = await decideApproval(
    { db, objects: objectStore(), send, runtime: systemRuntime },
    {
      tenant: ctx.tenant,
      approvalId: params.approval,
      decider: { type: "caller", principal: ctx.principal },
      body,
    },
  );
  return toApproval(approval, ctx.principal);
});
