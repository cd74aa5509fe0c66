import { isDeepStrictEqual } from "node:util";
import {
  type ApprovalDecision,
  type ApprovalItem,
  addDecision,
  endApproval,
  getApproval,
} from "../executions/approvals/approval-store.ts";
import { cancelApprovals } from "../executions/approvals/cancel-approvals.ts";
import { buildApprovalEvent } from "../executions/hooks/wait-events.ts";
import { endWait } from "../executions/wait/end-wait.ts";
import type { Database } from "../platform/db/database.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import { retryOnConflict } from "../platform/db/retry-on-conflict.ts";
import { approvalEnded, beingChanged, notFound, Problem } from "../platform/http/problems.ts";
import { enqueueEvent } from "../platform/outbox/enqueue-event.ts";
import { putInOutbox } from "../platform/outbox/outbox-store.ts";
import type { Send } from "../platform/queue/send.ts";
import type { Runtime } from "../platform/runtime/runtime.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import { type CheckedDecision, checkDecision, rejectAction } from "./check-decision.ts";
import { hashArguments } from "./hash-arguments.ts";
import { type Decider, haveCommonName, listNames, nameDecider } from "./person.ts";
import { requireDecider } from "./require-decider.ts";
import type { DecideApprovalBody } from "./schemas.ts";
import { toApproval } from "./to-approval.ts";

/** Dependencies of a decision. */
export type DecideDeps = { db: Database; objects: ObjectStore; send: Send; runtime: Runtime };

/** A decision of a person. */
export type DecideRequest = {
  tenant: Pick<TenantOwner, "id" | "organizationId">;
  approvalId: string;
  decider: Decider;
  body: DecideApprovalBody;
};

const maxAttempts = 10;

/**
 * Decides an approval. An action takes effect when `minApprovals` people chose it, `reject` when one did; its execution
 * then continues. The same decision of the same person again changes nothing. Throws 400, 403 for a decider who is no
 * approver, 404, and 409 with the approval when it was decided otherwise or has ended.
 */
export const decideApproval = (
  deps: DecideDeps,
  { tenant, approvalId, decider, body }: DecideRequest,
): Promise<ApprovalItem> =>
  retryOnConflict(
    { attempts: maxAttempts, maxPauseMs: 200, error: () => beingChanged("approval", approvalId) },
    async () => {
      const item = await getApproval(deps.db, tenant.id, approvalId);
      if (!item) throw notFound("approval", approvalId);
      await requireDecider(deps.db, { tenant, item, decider });
      const now = deps.runtime.clock();
      const checked = await checkUnlessEnded(tenant.id, item, { body, now });
      const { arguments: replaced, ...chosen } = checked;
      const decision: ApprovalDecision = {
        ...chosen,
        decidedBy: nameDecider(decider),
        people: listNames(decider),
        argumentsHash: hashArguments(replaced ?? null),
        decidedAt: now,
      };
      const own = item.decisions.find(({ people }) => haveCommonName(people, decision.people));
      if (own && isSame(own, decision)) return item;
      const ended = describeEnd(item, own, now);
      if (ended !== undefined) throw approvalEnded(ended, toApproval(item));
      return takesEffect(item, decision)
        ? endByDecision(deps, { tenant, item, decision, replaced })
        : vote(deps, { tenant, item, decision });
    },
  );

/** As `checkDecision`. An invalid decision about an approval that has ended throws 409, as any other. */
const checkUnlessEnded = async (
  tenantId: DecideRequest["tenant"]["id"],
  item: ApprovalItem,
  { body, now }: { body: DecideApprovalBody; now: number },
): Promise<CheckedDecision> => {
  try {
    return await checkDecision(tenantId, item, body);
  } catch (error) {
    const isInvalid = error instanceof Problem && error.slug === "validation-failed";
    const ended = isInvalid ? describeEnd(item, undefined, now) : undefined;
    throw ended === undefined ? error : approvalEnded(ended, toApproval(item));
  }
};

/** Returns whether two decisions of a person choose the same. */
const isSame = (one: ApprovalDecision, other: ApprovalDecision): boolean =>
  one.action === other.action &&
  one.comment === other.comment &&
  one.argumentsHash === other.argumentsHash &&
  isDeepStrictEqual(one.fields, other.fields);

/** Returns why an approval cannot be decided; undefined when it can. */
const describeEnd = (
  { status, decisions, expiresAt }: ApprovalItem,
  own: ApprovalDecision | undefined,
  now: number,
): string | undefined => {
  if (status === "Cancelled") return "The execution of the approval has ended.";
  if (status === "TimedOut") return "The approval was not decided in time.";
  const last = decisions.at(-1);
  if (status === "Decided") {
    return `The approval was decided: "${last?.action}" by ${last?.decidedBy}.`;
  }
  if (own) return `You chose "${own.action}". A decision cannot be changed.`;
  return expiresAt <= now ? "The time for the decision is over." : undefined;
};

/** Returns whether enough people have chosen the action, with the same arguments. */
const takesEffect = (
  { decisions, minApprovals }: ApprovalItem,
  { action, argumentsHash }: ApprovalDecision,
): boolean => {
  if (action === rejectAction) return true;
  const same = decisions.filter(
    (earlier) => earlier.action === action && earlier.argumentsHash === argumentsHash,
  );
  return same.length + 1 >= minApprovals;
};

type Deciding = {
  tenant: DecideRequest["tenant"];
  item: ApprovalItem;
  decision: ApprovalDecision;
};

/** Ends the approval and the wait of its execution by a decision, and announces it, in one transaction. */
const endByDecision = async (
  deps: DecideDeps,
  { tenant, item, decision, replaced }: Deciding & { replaced: CheckedDecision["arguments"] },
): Promise<ApprovalItem | "changed"> => {
  const { id: tenantId } = tenant;
  const { action, fields, comment, decidedBy, decidedAt } = decision;
  const end = {
    status: "Decided" as const,
    decidedAt,
    decisions: [...item.decisions, decision],
  };
  const decided = { ...item, ...end };
  const type = "approval.decided";
  const event = await buildApprovalEvent(deps, { type, tenantId, approval: decided });
  const outcome = await endWait(deps, {
    tenantId,
    root: item.root,
    executionId: item.executionId,
    path: item.path,
    answer: {
      action,
      fields,
      comment,
      decidedBy,
      decidedAt,
      ...(replaced && { arguments: replaced }),
    },
    writes: [endApproval(tenantId, item, end), ...(event ? [putInOutbox(event)] : [])],
  });
  if (outcome === "ended") {
    if (event) await enqueueEvent(deps.send, event);
    return decided;
  }
  if (outcome === "answered") return "changed";
  throw await cancelWithExecution(deps, { tenant, item });
};

/** Cancels the approval of an execution that has ended; returns the problem of a decision about it. */
const cancelWithExecution = async (
  deps: DecideDeps,
  { tenant, item }: Omit<Deciding, "decision">,
): Promise<Problem> => {
  const now = deps.runtime.clock();
  await cancelApprovals(deps, { tenantId: tenant.id, approvalIds: [item.id], now });
  const ended = (await getApproval(deps.db, tenant.id, item.id)) ?? item;
  return approvalEnded("The execution of the approval has ended.", toApproval(ended));
};

/** Adds a decision that does not take effect yet. */
const vote = async (
  { db }: DecideDeps,
  { tenant, item, decision }: Deciding,
): Promise<ApprovalItem | "changed"> =>
  (await addDecision(db, tenant.id, item, decision))
    ? { ...item, decisions: [...item.decisions, decision] }
    : "changed";
