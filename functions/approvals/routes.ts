import {
  Approval,
  ApprovalPage,
  ApprovalStatus,
  DecideApprovalBody,
} from "../../lib/approvals/schemas.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId, Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery, queryFlag } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("approvals");

export const listApprovals = route({
  operation: "list-approvals",
  method: "GET",
  path: "/v1/tenants/{tenant}/approvals",
  summary: "Lists approvals, newest first",
  scope: "executions:read",
  starterScope: "agents:execute",
  query: {
    ...pagingQuery,
    status: ApprovalStatus.optional().meta({
      description: "Returns only approvals with this status.",
    }),
    agentId: ChosenId.optional().meta({ description: "Returns only approvals of this agent." }),
    executionId: Uuid.optional().meta({
      description: "Returns only approvals of this execution and of its sub-agents.",
    }),
    mayDecide: queryFlag(
      "Whether to return only pending approvals that the caller may decide, and has not decided yet.",
    ),
  },
  response: { status: 200, schema: ApprovalPage },
  access: { table: "read" },
});

export const getApproval = route({
  operation: "get-approval",
  method: "GET",
  path: "/v1/tenants/{tenant}/approvals/{approval}",
  summary: "Retrieves an approval",
  scope: "executions:read",
  starterScope: "agents:execute",
  params: { approval: Uuid },
  response: { status: 200, schema: Approval },
  access: { table: "read" },
});

export const decideApproval = route({
  operation: "decide-approval",
  changes: "Approval",
  method: "POST",
  path: "/v1/tenants/{tenant}/approvals/{approval}:decide",
  summary: "Decides an approval; its execution continues",
  scope: "agents:execute",
  params: { approval: Uuid },
  body: DecideApprovalBody,
  response: { status: 200, schema: Approval },
  problems: ["conflict"],
  access: { table: "write", bucket: "write", publishes: ["executions", "schedules", "events"] },
});
