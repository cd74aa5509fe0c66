import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import { retainedPrefix } from "../../platform/db/retained-prefix.ts";
import { executionsPrefix } from "../../platform/db/table.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { releaseSpend } from "../../spending/budget/spend-store.ts";
import type { ApprovalItem } from "../approvals/approval-item.ts";
import { putApproval } from "../approvals/approval-store.ts";
import { buildWaitCheckpoint } from "../checkpoints/checkpoint-store.ts";
import { putWait } from "../checkpoints/wait-store.ts";
import { buildWaitEvents } from "../hooks/wait-events.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { toStoredStep } from "../job/stored-outcome.ts";
import { toWaiting } from "../lease/to-waiting.ts";
import type { WakeExecutionMessage } from "../messages.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import { newApproval } from "./new-approval.ts";
import type { ReachedWait } from "./open-waits.ts";
import { isSoon, sendWake } from "./send-wake.ts";

const daySeconds = 86_400;
/** Days for which the checkpoint is kept after the wait: a wake-up may be delayed, or be a dead letter for a while. */
const slackDays = 30;
/** A wake-up comes after the transaction that it is for. */
const leastDelayMs = 1_000;

/** The run of an execution in which only waits are left. */
export type WaitingRun = {
  job: Job;
  /** The execution with the run's lease: its own, or its outermost caller's. */
  root: ExecutionKey;
  /** Id of the user or key that started the root; null where another trigger did. */
  starterId: string | null;
  waits: readonly ReachedWait[];
  /** Until when the execution waits at most, with the waits of its sub-agents. Unix milliseconds. */
  until: number;
  /** All finished and suspended steps, of earlier runs too. */
  outcomes: readonly StepOutcome[];
  /** US dollars reserved for it, and those of them that it has spent. */
  reserved: number;
  spent: number;
};

/** Writes of one transaction that stores waits; the others are stored before. */
const maxTogether = 90;

/**
 * Makes an execution wait, in one transaction: `Waiting` without a lease, its finished steps and its waits, which keep as
 * long as it waits, and all of its reservation but what is spent returned. Wakes it when each wait ends at the latest.
 * Returns "not-open" when it was cancelled, deleted, or taken over by another run.
 */
export const beginWait = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "send">,
  { job, root, starterId, waits, until, outcomes, reserved, spent }: WaitingRun,
): Promise<"waiting" | "not-open"> => {
  const { db, objects, runtime, send } = deps;
  const { tenantId, agent, item } = job;
  const key = toExecutionKey(item);
  const now = runtime.clock();
  const fresh = waits.filter(({ requested }) => requested !== undefined);
  // The wake-up of a known wait that ends soon may have come before; a later one has its schedule.
  const woken = waits.filter(({ requested, until: at }) => requested || isSoon(at, now));
  await Promise.all(
    woken.map(({ path, kind, approvalId, until: end }) => {
      const { agentId, executionId } = root;
      const at = Math.max(end, now + leastDelayMs);
      const wait = { waitingId: item.id, path, kind, ...(approvalId && { approvalId }), at };
      const message = { type: "wake-execution" as const, tenantId, agentId, executionId, ...wait };
      return sendWake(send, message satisfies WakeExecutionMessage, now);
    }),
  );
  const days = Math.ceil((until - now) / (daySeconds * 1_000)) + slackDays;
  const ttl = Math.ceil(now / 1_000) + days * daySeconds;
  const folder = `${retainedPrefix(executionsPrefix, days)}/${tenantId}/${agent.id}`;
  const checkpoint = await buildWaitCheckpoint(objects, key, {
    outcomes: outcomes.map((outcome) => toStoredStep(runtime, job, outcome)),
    objectKey: `${folder}/${item.id}/WAIT#${newUuid(runtime)}`,
    ttl,
  });
  const asked = fresh.map(({ requested, ...wait }) => ({
    wait,
    approval: requested && newApproval({ job, root, starterId, wait, requested, ttl }),
  }));
  const approvals = asked.flatMap(({ approval }) => approval ?? []);
  const events = await buildWaitEvents(deps, { tenantId, item, approvals, until });
  const isAbout = ({ data }: OrganizationEvent, { id }: ApprovalItem) =>
    "approvalId" in data && data.approvalId === id;
  const groups = [
    ...asked.map(({ wait, approval }) => [
      putWait(key, wait, ttl),
      ...(approval ? [putApproval(tenantId, approval)] : []),
      ...events.filter((event) => approval && isAbout(event, approval)).map(putInOutbox),
    ]),
    ...events
      .filter((event) => !approvals.some((approval) => isAbout(event, approval)))
      .map((event) => [putInOutbox(event)]),
  ];
  const together = await storeFirst(deps, groups);
  const { written } = await transact(db, [
    toWaiting(job, { root, now, reserved, spent }),
    checkpoint,
    ...together,
    ...releaseSpend(tenantId, item, {
      amount: agent.budget?.amount ?? null,
      unused: reserved - Math.min(reserved, spent),
    }),
  ]);
  if (!written) return "not-open";
  await Promise.all(events.map((event) => enqueueEvent(send, event)));
  return "waiting";
};

/** Stores the waits that one transaction has no room for; returns the writes of the others. */
const storeFirst = async (
  { db }: Pick<ExecutionDeps, "db">,
  groups: readonly (readonly TransactionWrite[])[],
): Promise<TransactionWrite[]> => {
  const left = [...groups];
  while (left.flat().length > maxTogether) {
    const [group] = left.splice(0, 1);
    if (group) await transact(db, group);
  }
  return left.flat();
};
