import { describeApprovers } from "../approvals/approvers.ts";
import { findAddress } from "../approvals/find-address.ts";
import type { FoundWait } from "../approvals/find-wait.ts";
import { type ApprovalItem, getApproval } from "../executions/approvals/approval-store.ts";
import type { ExecutionWait } from "../executions/run/execute-agent.ts";
import type { ExecutionResult } from "../executions/schemas.ts";
import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { RefusedCall } from "./offer.ts";

/** Approvals that a result names: an execution may have more. */
const maxNamed = 10;

type WaitingExecution = {
  tenantId: TenantId;
  /** Reader of the description. */
  principal: Pick<Principal, "type" | "id" | "scopes">;
  /** Base URL of the API for this caller. */
  baseUrl: string;
  execution: Pick<ExecutionResult, "agentId" | "executionId">;
  wait: ExecutionWait;
};

/** Describes what a stored execution waits for, without reading it again; undefined when it does not wait any more. */
export const describeFoundWait = (
  waiting: Omit<WaitingExecution, "wait">,
  { approvals, until = approvals[0]?.expiresAt }: FoundWait,
): RefusedCall | undefined => {
  if (until === undefined) return undefined;
  return toDescription(waiting, {
    found: approvals.slice(0, maxNamed),
    count: approvals.length,
    until,
  });
};

/** Describes what an execution waits for: its approvals with who may decide and where, or the time. */
export const describeWait = async (
  db: Database,
  { wait, ...waiting }: WaitingExecution,
): Promise<RefusedCall> => {
  const named = wait.approvals.slice(0, maxNamed);
  const found = await Promise.all(named.map((id) => getApproval(db, waiting.tenantId, id)));
  return toDescription(waiting, {
    found: found.filter((item) => item !== undefined),
    count: wait.approvals.length,
    until: wait.until,
  });
};

const toDescription = (
  {
    tenantId,
    principal,
    baseUrl,
    execution: { agentId, executionId },
  }: Omit<WaitingExecution, "wait">,
  wait: { found: readonly ApprovalItem[]; count: number; until: number },
): RefusedCall => {
  const toUrl = (item: ApprovalItem) =>
    findAddress(item, principal) ?? `${baseUrl}/v1/tenants/${tenantId}/approvals/${item.id}`;
  const approvals = wait.found.map((item) => ({
    id: item.id,
    title: item.title,
    approvers: describeApprovers(item),
    actions: item.actions.map(({ id }) => id),
    expiresAt: item.expiresAt,
    url: toUrl(item),
  }));
  const until = formatTime(wait.until);
  const reason =
    approvals.length > 0 ? "until people have decided" : `until ${until} at the latest`;
  const more = wait.count - approvals.length;
  const lines = [
    `The agent is not done: it waits ${reason}. Its execution ${executionId} then continues and keeps the output; another call would start another execution.`,
    ...approvals.flatMap(({ id, title, approvers, expiresAt, url }) => [
      `Approval ${id}: ${JSON.stringify(title)}`,
      `  may be decided by: ${approvers}; until ${formatTime(expiresAt)}`,
      `  ${url}`,
    ]),
    ...(more > 0 ? [`${more} more approvals are not listed.`] : []),
    ...(approvals.length > 0
      ? [
          "They decide on the page Approvals of the console, or with POST to the address and :decide.",
        ]
      : []),
  ];
  const value = { status: "Waiting", agentId, executionId, until: wait.until, approvals };
  return { ok: false, detail: lines.join("\n"), value };
};

const formatTime = (time: number): string => new Date(time).toISOString();
