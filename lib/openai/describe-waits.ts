import * as z from "zod";
import type { ExecutionWait } from "../executions/run/execute-agent.ts";
import type { ExecutionResult } from "../executions/schemas.ts";
import { describeWait } from "../mcp/describe-wait.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
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

/** Describes what an execution waits for: as items of a response, and as text. */
export const describeWaits = async (
  db: Database,
  waiting: {
    tenantId: TenantId;
    baseUrl: string;
    execution: Pick<ExecutionResult, "agentId" | "executionId">;
    wait: ExecutionWait;
  },
): Promise<{ items: ApprovalRequestItem[]; text: string }> => {
  const { detail, value } = await describeWait(db, waiting);
  const items = Waiting.parse(value).approvals.map(
    ({ expiresAt, ...approval }): ApprovalRequestItem => ({
      type: "wharf:approval_request",
      status: "in_progress",
      ...approval,
      expires_at: toSeconds(expiresAt),
    }),
  );
  return { items, text: detail };
};
