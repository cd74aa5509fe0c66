import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import { StepError } from "../../engine/step-error.ts";
import { retainedPrefix } from "../../platform/db/retained-prefix.ts";
import { executionsPrefix } from "../../platform/db/table.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { releaseSpend } from "../../spending/budget/spend-store.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import { countPendingApprovals } from "../approvals/approval-store.ts";
import { buildWaitCheckpoint } from "../checkpoints/checkpoint-store.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import { buildWaitingEvent } from "../hooks/wait-events.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { toStoredStep } from "../job/stored-outcome.ts";
import { ifHeld, toWaiting } from "../lease/to-waiting.ts";
import { toExecutionKey } from "../record/keys.ts";
import { buildWaitRequest, type WaitingExecution } from "./build-wait-request.ts";
import type { ReachedWait } from "./open-waits.ts";
import { isSoon, sendConsentCheck, sendLookBack, wakeAtEnd } from "./send-wake.ts";

const daySeconds = 86_400;
const dayMs = daySeconds * 1_000;
/** Days for which the checkpoint is kept after the wait: a wake-up may be delayed, or be a dead letter for a while. */
const slackDays = 30;

/** The run of an execution in which only waits are left. */
export type WaitingRun = WaitingExecution & {
  waits: readonly ReachedWait[];
  /** When the first of its waits ends at the latest, and the last one, with those of its sub-agents. Unix milliseconds. */
  ends: { first: number; last: number };
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
 * Returns "not-open" when it was cancelled, deleted, or taken over by another run, and when one of its waits was answered
 * in the meantime.
 */
export const beginWait = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "send">,
  { waits, ends, outcomes, reserved, spent, ...execution }: WaitingRun,
): Promise<"waiting" | "not-open"> => {
  const { db, objects, runtime, send } = deps;
  const { job, root } = execution;
  const { tenantId, agent, item } = job;
  const key = toExecutionKey(item);
  const now = runtime.clock();
  const fresh = waits.filter(({ requested }) => requested !== undefined);
  // The wake-up of a known wait that ends soon may have come before; a later one has its schedule.
  const woken = waits.filter(({ requested, until }) => requested || isSoon(until, now));
  await Promise.all(woken.map((wait) => wakeAtEnd(deps, { execution, wait })));
  await Promise.all(fresh.map((wait) => sendLookBack(send, { root, item, wait })));
  await Promise.all(fresh.map((wait) => sendConsentCheck(deps, { tenantId, wait })));
  const days = Math.ceil((ends.last - now) / dayMs) + slackDays;
  const ttl = Math.ceil(now / 1_000) + days * daySeconds;
  const folder = `${retainedPrefix(executionsPrefix, days)}/${tenantId}/${agent.id}`;
  const checkpoint = await buildWaitCheckpoint(objects, key, {
    outcomes: outcomes.map((outcome) => toStoredStep(runtime, job, outcome)),
    objectKey: `${folder}/${item.id}/WAIT#${newUuid(runtime)}`,
    ttl,
  });
  const requests = await Promise.all(
    fresh.map((wait) => buildWaitRequest(deps, { execution, wait, ttl })),
  );
  const approvalIds = waits.flatMap(({ approvalId }) => approvalId ?? []);
  const waiting = await buildWaitingEvent(deps, { item, approvalIds, until: ends.last });
  const together = await storeFirst(deps, [
    ...requests.map(({ writes }) => writes),
    ...(waiting ? [[putInOutbox(waiting)]] : []),
  ]);
  const { written } = await transact(db, [
    toWaiting(job, { root, now, reserved, spent, firstEnd: ends.first }),
    checkpoint,
    ...together,
    ...releaseSpend(tenantId, item, {
      amount: agent.budget?.amount ?? null,
      unused: reserved - Math.min(reserved, spent),
    }),
  ]);
  if (!written) return "not-open";
  const events = [...requests.map(({ event }) => event), waiting];
  await Promise.all(events.map((event) => event && enqueueEvent(send, event)));
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

/** Waits of one transaction, with three writes per wait. */
const together = 30;

/**
 * Requests approvals while their execution still runs, if it does. Returns the waits that were stored; the run stores the
 * others when it waits. Throws a StepError where they may not be requested.
 * @param input `owner`: token of the run
 */
export const requestEarly = async (
  deps: Pick<ExecutionDeps, "db" | "runtime" | "send">,
  {
    execution,
    owner,
    waits,
  }: { execution: WaitingExecution; owner: string; waits: readonly ReachedWait[] },
): Promise<StoredWait[]> => {
  const { db, runtime, send } = deps;
  const { item, tenantId } = execution.job;
  const limited = await limitWaits(deps, { item, waits, others: [] });
  const stored: StoredWait[] = [];
  for (let at = 0; at < limited.length; at += together) {
    const part = limited.slice(at, at + together);
    await Promise.all(part.map((wait) => wakeAtEnd(deps, { execution, wait })));
    await Promise.all(part.map((wait) => sendConsentCheck(deps, { tenantId, wait })));
    const requests = await Promise.all(
      part.map((wait) => {
        const days = Math.ceil((wait.until - runtime.clock()) / dayMs) + slackDays;
        const ttl = Math.ceil(runtime.clock() / 1_000) + days * daySeconds;
        return buildWaitRequest(deps, { execution, wait, ttl });
      }),
    );
    const writes = requests.flatMap(({ writes }) => writes);
    const { written } = await transact(db, [ifHeld(execution.root, owner), ...writes]);
    if (!written) return stored;
    stored.push(...part);
    await Promise.all(requests.map(({ event }) => event && enqueueEvent(send, event)));
  }
  return stored;
};

/** The approval of a tool call expires this long before the record of its execution. */
const marginMs = 3_600_000;
/** Maximum pending approvals of a tenant. */
const maxPending = 10_000;

/**
 * Limits the waits that an execution is about to begin. The approvals of tool calls expire before its record does. Throws a
 * StepError where another wait is longer than that, or the tenant has too many pending approvals.
 * @param input `others`: when the waits below it end, Unix milliseconds
 */
export const limitWaits = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  {
    item,
    waits,
    others,
  }: { item: Job["item"]; waits: readonly ReachedWait[]; others: readonly number[] },
): Promise<ReachedWait[]> => {
  const { tenantId } = toExecutionKey(item);
  const now = runtime.clock();
  const asked = waits.filter(({ requested }) => requested?.approval).length;
  const [{ executionDays }, pending] = await Promise.all([
    findRetention(db, tenantId, now),
    asked > 0 ? countPendingApprovals(db, tenantId, maxPending) : 0,
  ]);
  if (asked + pending > maxPending) {
    const detail = `The tenant has ${pending} pending approvals; at most ${maxPending} are allowed.`;
    throw new StepError("conflict", detail);
  }
  const expiry = item.startTime + executionDays * dayMs;
  const latest = Math.max(now, expiry - marginMs);
  const limited = waits.map((wait) =>
    wait.requested?.approval?.kind === "Tool"
      ? { ...wait, until: Math.min(wait.until, latest) }
      : wait,
  );
  if (Math.max(...limited.map(({ until }) => until), ...others) < expiry) return limited;
  const detail = `The wait is longer than the tenant keeps executions: ${executionDays} days.`;
  throw new StepError("execution-failed", detail);
};
