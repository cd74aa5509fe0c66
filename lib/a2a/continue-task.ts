import { decideApproval } from "../approvals/decide-approval.ts";
import { describeDecision } from "../approvals/describe-decision.ts";
import { findWait } from "../approvals/find-wait.ts";
import { DecideApprovalBody } from "../approvals/schemas.ts";
import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { watchExecution } from "../executions/read/watch-execution.ts";
import type { StoredExecution } from "../executions/record/execution-record.ts";
import { toExecutionKey } from "../executions/record/keys.ts";
import { getExecution } from "../executions/record/store.ts";
import { finalStatuses } from "../executions/schemas.ts";
import { validationFailed } from "../platform/http/problems.ts";
import { toIssuePointer, zodErrorMap } from "../platform/http/zod-error-map.ts";
import { withSlot } from "../platform/slots/with-slot.ts";
import { withAudit } from "../tenancy/audit/with-audit.ts";
import { a2aProblem, noPush, unsupportedFile } from "./problems.ts";
import { type MessageContent, readMessage } from "./read-message.ts";
import { findTask, nameStored, readTask } from "./read-task.ts";
import type { StartingMessage } from "./run-message.ts";
import type { A2aTask } from "./schemas.ts";
import { toView } from "./started-task.ts";

/** Longest wait for the end of a task that a message continued. */
const maxWaitMs = 25_000;

/**
 * Decides what a task waits for by a message, in the name of the caller; returns its execution as it is then. Throws 400 for a
 * task that takes no message and for a message that is no decision, 403 for a caller who may not decide, and 404.
 */
export const decideTask = async (
  deps: ExecutionDeps,
  { ctx, agentId, request }: StartingMessage,
): Promise<{ execution: StoredExecution; isDecided: boolean }> => {
  const { message, configuration } = request;
  if (configuration?.taskPushNotificationConfig) throw noPush();
  const found = await findTask(deps, { ctx, agentId, id: message.taskId ?? "" });
  const { item } = found;
  if (message.contextId && message.contextId !== nameStored(item).contextId) {
    throw wrong("/message/contextId", "is not the context of the task");
  }
  if (item.status !== "Waiting") throw notWaiting(item.status);
  const { approvals } = await findWait(deps.db, {
    execution: found,
    now: deps.runtime.clock(),
  });
  const { approval, body } = readDecision(await readMessage(message), approvals);
  const db = withAudit(deps.db, ctx, describeDecision(approval.id, body));
  const decided = await decideApproval(
    { ...deps, db },
    {
      tenant: ctx.tenant,
      approvalId: approval.id,
      decider: { type: "caller", principal: ctx.principal },
      body,
    },
  );
  const execution = await getExecution(deps.db, ctx.tenant.id, agentId, item.id);
  return { execution: execution ?? found, isDecided: decided.status !== "Pending" };
};

/**
 * Continues a task by a message; waits up to 25 seconds for its end, unless the client asks for none, or all slots of the tenant
 * are taken: the decision counts, and the client reads the task later.
 */
export const continueTask = async (
  deps: ExecutionDeps,
  sending: StartingMessage,
): Promise<A2aTask> => {
  const { ctx, request } = sending;
  const view = toView(request);
  const { execution, isDecided } = await decideTask(deps, sending);
  let latest = execution;
  if (isDecided && request.configuration?.returnImmediately !== true) {
    const key = toExecutionKey(execution.item);
    const until = deps.runtime.clock() + maxWaitMs;
    const watched = { key, from: execution, until, hasLeft: () => false };
    await withSlot(ctx.takeSlot, async () => {
      for await (const changed of watchExecution(deps, watched)) latest = changed;
    });
  }
  return readTask(deps, { ctx, execution: latest, view });
};

const notWaiting = (status: StoredExecution["item"]["status"]) =>
  a2aProblem(
    "UNSUPPORTED_OPERATION",
    finalStatuses.has(status)
      ? "The task has ended and takes no more messages. Send the message without taskId, which starts another task."
      : "The task takes messages only in the state TASK_STATE_INPUT_REQUIRED.",
  );

const wrong = (pointer: string, detail: string) => validationFailed([{ pointer, detail }]);

const Decision = DecideApprovalBody.partial({ action: true }).extend({
  approvalId: DecideApprovalBody.shape.action.optional(),
});

/** Reads which approval a message decides, and how: its data has members of a decision, or its text is an action. */
const readDecision = (
  { text, data, files: [file] }: MessageContent,
  approvals: readonly ApprovalItem[],
): { approval: ApprovalItem; body: DecideApprovalBody } => {
  if (file) throw unsupportedFile(file.pointer, "is a file, which a decision does not have");
  if (approvals.length === 0) {
    throw a2aProblem(
      "UNSUPPORTED_OPERATION",
      "The task waits for a time or an event, which a message does not decide.",
    );
  }
  const { data: decision, error } = Decision.safeParse(data ?? {}, { error: zodErrorMap });
  if (error) {
    throw validationFailed(
      error.issues.map(({ path, message }) => ({
        pointer: `/message/parts${toIssuePointer(path)}`,
        detail: message,
      })),
    );
  }
  const { approvalId, ...given } = decision;
  const approval =
    approvalId === undefined && approvals.length === 1
      ? approvals[0]
      : approvals.find(({ id }) => id === approvalId);
  if (!approval) {
    const ids = approvals.map(({ id }) => id).join(", ");
    throw wrong("/message/parts", `must have a data part with one approvalId of: ${ids}`);
  }
  const action = given.action ?? findAction(approval, text);
  if (action === undefined) {
    const actions = approval.actions.map(({ id }) => JSON.stringify(id)).join(", ");
    throw wrong("/message/parts", `must have one of the actions ${actions}, as text or as data`);
  }
  return { approval, body: { ...given, action } };
};

/** Returns the action that a text names by its id or its label. */
const findAction = ({ actions }: ApprovalItem, text = ""): string | undefined => {
  const named = text.trim().toLowerCase();
  return actions.find(({ id, label }) => [id, label].some((name) => name.toLowerCase() === named))
    ?.id;
};
