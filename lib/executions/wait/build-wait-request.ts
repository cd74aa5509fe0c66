import { type Guard, maskText } from "../../engine/guardrails/guard.ts";
import { putConnectionWait } from "../../integrations/connection/wait-store.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { isJsonObject, type Json } from "../../values/json/json.ts";
import { type ApprovalItem, putApproval } from "../approvals/approval-store.ts";
import { type EventWait, putEventWait } from "../checkpoints/event-wait-store.ts";
import { putWait, type StoredWait } from "../checkpoints/wait-store.ts";
import { buildApprovalEvent } from "../hooks/wait-events.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInText, maskInValue } from "../job/masks.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import type { NewWait, ReachedWait } from "./open-waits.ts";

/** The execution that waits. */
export type WaitingExecution = {
  job: Job;
  /** The execution with the run's lease: its own, or its outermost caller's. */
  root: ExecutionKey;
  /** Id of the user or key that started the root; null where another trigger did. */
  starterId: string | null;
  /** Masks what its guardrails mask. */
  mask: Guard["mask"];
};

/** All that is written when a wait is stored, in one transaction. */
export type WaitRequestWrites = {
  writes: readonly TransactionWrite[];
  approval: ApprovalItem | undefined;
  /** To be queued after the transaction. */
  event: OrganizationEvent | undefined;
};

/**
 * Builds all writes of a new wait: the wait, its registration at a webhook, and the approval that it asks for with its event.
 * @param input `ttl`: Unix seconds
 */
export const buildWaitRequest = async (
  deps: Pick<ExecutionDeps, "db" | "runtime">,
  {
    execution: { job, root, starterId, mask },
    wait: reached,
    ttl,
  }: { execution: WaitingExecution; wait: ReachedWait; ttl: number },
): Promise<WaitRequestWrites> => {
  const { requested, ...wait } = reached;
  const { tenantId, item } = job;
  const approval = requested && newApproval({ job, root, starterId, mask, wait, requested, ttl });
  const awaited = newEventWait(job, root, { wait: reached, now: deps.runtime.clock() });
  const type = "approval.requested";
  const event = approval && (await buildApprovalEvent(deps, { type, tenantId, approval }));
  const writes = [
    putWait(toExecutionKey(item), wait, ttl),
    ...(awaited ? [putEventWait(tenantId, awaited)] : []),
    ...(approval ? [putApproval(tenantId, approval)] : []),
    ...(approval?.connectionId ? [putConnectionWait(tenantId, approval)] : []),
    ...(event ? [putInOutbox(event)] : []),
  ];
  return { writes, approval, event };
};

/** A wait for an approval, and the execution that it is in. */
type Asked = {
  job: Job;
  root: ExecutionKey;
  starterId: string | null;
  mask: Guard["mask"];
  wait: StoredWait;
  requested: NewWait;
  /** Unix seconds. */
  ttl: number;
};

/** Builds the approval that a wait asks for, in which secrets and what guardrails mask are masked; undefined for another wait. */
const newApproval = ({
  job,
  root,
  starterId,
  mask,
  wait: { approvalId: id, path, since, until },
  requested: { stepId, approval },
  ttl,
}: Asked): ApprovalItem | undefined => {
  if (id === undefined || !approval) return undefined;
  const { item, agentRevision } = job;
  const secrets = jobSecrets(job).inTraces;
  const { title, message, data, arguments: given, actions, fields, approvers, ...rest } = approval;
  const { consent, ...asked } = rest;
  const { argumentsSchema } = approval;
  const show = (value: Json): Json => mask(maskInValue(value, secrets));
  const showText = (text: string): string => maskText({ mask }, maskInText(text, secrets));
  const shown = given && show({ ...given });
  return {
    id,
    ...asked,
    agentId: item.agentId,
    agentRevision,
    executionId: item.id,
    root: { agentId: root.agentId, executionId: root.executionId },
    path,
    stepId,
    title: showText(title),
    message: message && showText(message),
    data: show(data),
    fields: [...fields],
    actions: [...actions],
    arguments: isJsonObject(shown) ? shown : null,
    argumentsSchema: argumentsSchema && { ...argumentsSchema },
    approvers,
    ...(consent && { consent: { ...consent, scopes: [...consent.scopes] } }),
    starterId,
    decisions: [],
    status: "Pending",
    createdAt: since,
    expiresAt: until,
    decidedAt: null,
    ttl,
  };
};

/** Seconds for which the registration of a wait is kept after its time, if nothing has removed it. */
const slackSeconds = 86_400;

/** Builds the registration of a wait for an event, in which secrets are masked; undefined for another wait. `now`: Unix milliseconds. */
const newEventWait = (
  job: Job,
  root: ExecutionKey,
  { wait: { path, since, until, requested }, now }: { wait: ReachedWait; now: number },
): EventWait | undefined => {
  const { event } = requested ?? {};
  if (!event) return undefined;
  const { webhookId, eventTypes, match, lookbackSeconds } = event;
  const scope = maskInValue(event.scope, jobSecrets(job).inTraces);
  return {
    webhookId,
    executionId: job.item.id,
    path,
    root: { agentId: root.agentId, executionId: root.executionId },
    eventTypes: eventTypes && [...eventTypes],
    match,
    scope: isJsonObject(scope) ? scope : {},
    from: since - lookbackSeconds * 1_000,
    until,
    registeredAt: now,
    ttl: Math.ceil(until / 1_000) + slackSeconds,
  };
};
