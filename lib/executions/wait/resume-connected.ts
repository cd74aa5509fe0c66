import { getConnection } from "../../integrations/connection/store.ts";
import {
  listConnectionWaits,
  removeConnectionWait,
} from "../../integrations/connection/wait-store.ts";
import type { ResumeConnectedMessage } from "../../integrations/messages.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { type ApprovalDecision, endApproval, getApproval } from "../approvals/approval-store.ts";
import { cancelApprovals } from "../approvals/cancel-approvals.ts";
import { buildApprovalEvent } from "../hooks/wait-events.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { endWait } from "./end-wait.ts";

type ResumeDeps = Pick<ExecutionDeps, "db" | "objects" | "send" | "runtime">;

/**
 * Continues the executions that wait for a connection, if it is active. Safe to repeat, and to arrive late: a run that finds
 * the connection unusable waits again.
 */
export const resumeConnected = async (
  deps: ResumeDeps,
  { tenantId, connectionId }: ResumeConnectedMessage,
): Promise<void> => {
  const { db } = deps;
  const connection = await getConnection(db, tenantId, connectionId);
  if (connection?.status !== "Active") return;
  for await (const { approvalId } of listConnectionWaits(db, tenantId, connectionId)) {
    await retryOnConflict({ error: () => beingChanged("approval", approvalId) }, () =>
      endByConsent(deps, { tenantId, approvalId }),
    );
    await removeConnectionWait(db, tenantId, connectionId, approvalId);
  }
};

const endByConsent = async (
  deps: ResumeDeps,
  { tenantId, approvalId }: { tenantId: ResumeConnectedMessage["tenantId"]; approvalId: string },
): Promise<"changed" | undefined> => {
  const { db, runtime, send } = deps;
  const item = await getApproval(db, tenantId, approvalId);
  if (item?.status !== "Pending") return undefined;
  const decidedAt = runtime.clock();
  const answer = {
    action: "authorize",
    fields: {},
    comment: null,
    decidedBy: "consent",
    decidedAt,
  };
  const decision: ApprovalDecision = { ...answer, people: [], argumentsHash: null };
  const end = { status: "Decided" as const, decidedAt, decisions: [...item.decisions, decision] };
  const type = "approval.decided";
  const event = await buildApprovalEvent(deps, { type, tenantId, approval: { ...item, ...end } });
  const outcome = await endWait(deps, {
    tenantId,
    root: item.root,
    executionId: item.executionId,
    path: item.path,
    answer,
    writes: [endApproval(tenantId, item, end), ...(event ? [putInOutbox(event)] : [])],
  });
  if (outcome === "ended" && event) await enqueueEvent(send, event);
  if (outcome === "over") {
    await cancelApprovals(deps, { tenantId, approvalIds: [approvalId], now: decidedAt });
  }
  return outcome === "answered" ? "changed" : undefined;
};
