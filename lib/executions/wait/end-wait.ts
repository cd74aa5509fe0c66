import { type ConnectionItem, getConnection } from "../../integrations/connection/store.ts";
import {
  listConnectionWaits,
  removeConnectionWait,
} from "../../integrations/connection/wait-store.ts";
import { wereAskedFor } from "../../integrations/connection/want-scopes.ts";
import type { ResumeConnectedMessage } from "../../integrations/messages.ts";
import { retainedPrefix } from "../../platform/db/retained-prefix.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { executionsPrefix } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import {
  beingChanged,
  conflict,
  linkUsed,
  payloadTooLarge,
  unknownLink,
} from "../../platform/http/problems.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { getSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import type { Json } from "../../values/json/json.ts";
import {
  type ApprovalDecision,
  type ApprovalItem,
  endApproval,
  getApproval,
} from "../approvals/approval-store.ts";
import { cancelApprovals } from "../approvals/cancel-approvals.ts";
import { buildAnswer } from "../checkpoints/wait-store.ts";
import { buildApprovalEvent } from "../hooks/wait-events.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { resendAfterMs } from "../lease/execution-lease.ts";
import { getExecution } from "../record/store.ts";
import { buildCountAnswer, buildQueueWaiting } from "../record/waiting-store.ts";
import { finalStatuses } from "../schemas.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";
import { type CallbackClaims, readCallback } from "./callback-address.ts";

const daySeconds = 86_400;
/** Days for which the answer to an open wait is kept: its execution is continued within them. */
const usualDays = 30;

/** A wait and its answer. */
type EndedWait = {
  tenantId: TenantId;
  /** The execution that is continued: the one that waits, or its outermost caller. */
  root: { agentId: string; executionId: string };
  /** The execution that waits, or will. */
  executionId: string;
  path: string;
  /** Undefined where its time is over. */
  answer: Json | undefined;
  /** Writes of the same transaction: all are made, or none. */
  writes?: readonly TransactionWrite[];
  /** Days for which the answer is kept. */
  keptDays?: number;
};

/** Pauses between attempts at an execution that begins or ceases to wait at this moment. */
const retries = { attempts: 10, maxPauseMs: 200 };

/**
 * Ends a wait with its one answer, and continues its execution, in one transaction. An execution that runs or is queued reads
 * it before it waits. Returns "answered" where there is an answer already or the condition of a write does not hold, and
 * "over" where the execution has ended or was deleted.
 */
export const endWait = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "send">,
  { tenantId, root, executionId, path, answer, writes = [], keptDays = usualDays }: EndedWait,
): Promise<"ended" | "answered" | "over"> => {
  const { db, objects, runtime, send } = deps;
  const now = runtime.clock();
  const rootKey = { tenantId, ...root };
  const folder = `${retainedPrefix(executionsPrefix, keptDays)}/${tenantId}/${root.agentId}`;
  const put = await buildAnswer(
    objects,
    { tenantId, executionId },
    { path, at: now, answer },
    {
      objectKey: `${folder}/${executionId}/ANSWER#${newUuid(runtime)}`,
      ttl: Math.ceil(now / 1_000) + keptDays * daySeconds,
    },
  );
  const own = [put, ...writes];
  const write = async (update: NonNullable<TransactionWrite["Update"]>) => {
    const outcome = await transact(db, [...own, { Update: update }]);
    if (outcome.written) return "ended";
    return outcome.failed.slice(0, own.length).includes(true) ? "answered" : "other-status";
  };
  const error = () => beingChanged("execution", root.executionId);
  return retryOnConflict({ ...retries, error }, async () => {
    const queued = await write(buildQueueWaiting(rootKey, now + resendAfterMs(1)));
    if (queued === "ended") {
      await enqueueExecutions(send, tenantId, [{ agentId: root.agentId, id: root.executionId }]);
    }
    if (queued !== "other-status") return queued;
    const counted = await write(buildCountAnswer(rootKey));
    if (counted !== "other-status") return counted;
    const found = await getExecution(db, tenantId, root.agentId, root.executionId);
    return !found || finalStatuses.has(found.item.status) ? "over" : "changed";
  });
};

/** Maximum bytes of JSON of a callback. */
const maxBytes = 262_144;
/** Days for which a callback is kept: its step may be reached after another wait, of a year at most. */
const keptDays = 400;

/** A verified address of a callback. */
type VerifiedCallback = CallbackClaims & { tenantId: TenantId };

/** Verifies the signed end of a callback's address. Throws 404. */
export const verifyCallback = async (
  deps: Pick<ExecutionDeps, "db" | "sealer">,
  { tenantId, token }: { tenantId: TenantId; token: string },
): Promise<VerifiedCallback> => {
  const signing = await getSigningSecret(deps, { tenantId, purpose: "callbacks" });
  const claims = signing && readCallback(signing.secret, tenantId, token);
  if (!claims) throw unknownLink();
  return { ...claims, tenantId };
};

/**
 * Ends the wait of an address with the body, once, also before its step is reached. Throws 409 for a second request and
 * for an execution that has ended, and 413.
 */
export const answerCallback = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "send">,
  { callback, answer }: { callback: VerifiedCallback; answer: Json },
): Promise<void> => {
  if (Buffer.byteLength(JSON.stringify(answer)) > maxBytes) throw payloadTooLarge(maxBytes);
  const outcome = await endWait(deps, { ...callback, answer, keptDays });
  switch (outcome) {
    case "ended":
      return;
    case "answered":
      throw linkUsed();
    case "over":
      throw conflict("The execution has ended. It waits for no callback any more.");
  }
};

type ResumeDeps = Pick<ExecutionDeps, "db" | "objects" | "send" | "runtime">;

/**
 * Continues the executions that wait for a connection, if it is active. Those that need scopes of its next consent keep waiting.
 * Looks once more for those that wait by then, where the message says when. Safe to repeat, and to arrive late: a run that finds the
 * connection unusable waits again.
 */
export const resumeConnected = async (
  deps: ResumeDeps,
  { againAt, ...message }: ResumeConnectedMessage,
): Promise<void> => {
  const isLeft = await resumeWaiting(deps, message);
  const seconds = Math.ceil(((againAt ?? 0) - deps.runtime.clock()) / 1_000);
  if (isLeft && seconds > 0) await deps.send("schedules", message.tenantId, message, seconds);
};

/** Returns whether executions keep waiting. */
const resumeWaiting = async (
  deps: ResumeDeps,
  { tenantId, connectionId }: ResumeConnectedMessage,
): Promise<boolean> => {
  const { db } = deps;
  const connection = await getConnection(db, tenantId, connectionId);
  let isLeft = false;
  for await (const { approvalId } of listConnectionWaits(db, tenantId, connectionId)) {
    if (connection?.status !== "Active") return true;
    const outcome = await retryOnConflict(
      { error: () => beingChanged("approval", approvalId) },
      () => endByConsent(deps, { tenantId, approvalId, connection }),
    );
    if (outcome === "waits") isLeft = true;
    else await removeConnectionWait(db, tenantId, connectionId, approvalId);
  }
  return isLeft;
};

/** Returns whether the next consent asks for scopes that an approval needs, and none before has. */
const isWanted = (connection: ConnectionItem, { consent }: ApprovalItem): boolean => {
  const { scopes = [] } = consent ?? {};
  const { wantedScopes = [] } = connection;
  return !wereAskedFor(connection, scopes) && scopes.every((scope) => wantedScopes.includes(scope));
};

const endByConsent = async (
  deps: ResumeDeps,
  {
    tenantId,
    approvalId,
    connection,
  }: {
    tenantId: ResumeConnectedMessage["tenantId"];
    approvalId: string;
    connection: ConnectionItem;
  },
): Promise<"changed" | "waits" | undefined> => {
  const { db, runtime, send } = deps;
  const item = await getApproval(db, tenantId, approvalId);
  if (item?.status !== "Pending") return undefined;
  if (isWanted(connection, item)) return "waits";
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
