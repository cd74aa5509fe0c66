import * as z from "zod";
import { findWait } from "../approvals/find-wait.ts";
import type { StoredExecution } from "../executions/record/execution-record.ts";
import type { ExecutionWait } from "../executions/run/execute-agent.ts";
import type { ExecutionResult } from "../executions/schemas.ts";
import { describeFoundWait, describeWait } from "../mcp/describe-wait.ts";
import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { AskContext } from "./ask-agent.ts";
import type { ApprovalRequestItem } from "./schemas.ts";
import { toSeconds } from "./to-response.ts";

const Waiting = z.object({
  approvals: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      approvers: z.string(),
      actions: z.array(z.string()),
      expiresAt: z.number(),
      url: z.string(),
    }),
  ),
});

/** A stored execution. `now`: Unix milliseconds. */
type FoundExecution = {
  tenantId: TenantId;
  principal: Pick<Principal, "type" | "id" | "scopes">;
  baseUrl: string;
  execution: Pick<StoredExecution, "item">;
  now: number;
};

/** Describes what an execution waits for: as items of a response, and as text. */
export const describeWaits = async (
  db: Database,
  {
    ctx: { tenant, principal, baseUrl },
    ...waiting
  }: {
    ctx: Pick<AskContext, "tenant" | "principal" | "baseUrl">;
    execution: Pick<ExecutionResult, "agentId" | "executionId">;
    wait: ExecutionWait;
  },
): Promise<{ items: ApprovalRequestItem[]; text: string }> => {
  const place = { tenantId: tenant.id, principal, baseUrl };
  const { detail, value } = await describeWait(db, { ...place, ...waiting });
  return { items: toItems(value), text: detail };
};

/** Finds the approvals that a stored execution waits for, its sub-agents' too, as items of a response. */
export const findWaitItems = async (
  db: Database,
  { execution, now, ...place }: FoundExecution,
): Promise<ApprovalRequestItem[]> => {
  const { id: executionId, agentId } = execution.item;
  const wait = await findWait(db, { execution, now });
  const described = describeFoundWait({ ...place, execution: { agentId, executionId } }, wait);
  return described ? toItems(described.value) : [];
};

const toItems = (value: unknown): ApprovalRequestItem[] =>
  Waiting.parse(value).approvals.map(
    ({ expiresAt, ...approval }): ApprovalRequestItem => ({
      type: "wharf:approval_request",
      status: "in_progress",
      ...approval,
      expires_at: toSeconds(expiresAt),
    }),
  );
