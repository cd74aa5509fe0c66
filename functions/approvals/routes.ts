import {
  Approval,
  ApprovalLink,
  ApprovalPage,
  ApprovalStatus,
  ApprovalToken,
  CreateApprovalLinkBody,
  DecideApprovalBody,
} from "../../lib/approvals/schemas.ts";
import { FormBody } from "../../lib/edge/form-body.ts";
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

export const createApprovalLink = route({
  operation: "create-approval-link",
  method: "POST",
  path: "/v1/tenants/{tenant}/approvals/{approval}:link",
  summary: "Creates a page on which a person without an account decides an approval",
  scope: "agents:execute",
  params: { approval: Uuid },
  body: CreateApprovalLinkBody,
  response: { status: 200, schema: ApprovalLink },
  shownOnce: ["url"],
  problems: ["conflict"],
  access: { table: "write", secrets: "seal" },
});

/** The page of a link. */
const page = {
  description: "A page with the question and a form, or with what was decided.",
  examples: { "text/html": "<!doctype html><title>Approval</title>" },
};

export const showApprovalPage = route({
  operation: "show-approval-page",
  method: "GET",
  path: "/v1/tenants/{tenant}/approval-links/{approvalToken}",
  summary: "Shows the page of an approval link; decides nothing",
  scope: "public",
  signed: true,
  reply: page,
  params: { approvalToken: ApprovalToken },
  response: { status: 200 },
  problems: ["rate-limit-exceeded"],
  access: { table: "read", secrets: "open" },
});

export const submitApprovalPage = route({
  operation: "submit-approval-page",
  method: "POST",
  path: "/v1/tenants/{tenant}/approval-links/{approvalToken}",
  summary: "Decides an approval by the form of its page, once",
  scope: "public",
  signed: true,
  reply: page,
  params: { approvalToken: ApprovalToken },
  body: FormBody,
  response: { status: 200 },
  problems: ["conflict", "rate-limit-exceeded"],
  access: {
    table: "write",
    bucket: "write",
    secrets: "open",
    publishes: ["executions", "schedules", "events"],
  },
});
