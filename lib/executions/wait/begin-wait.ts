import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import { retainedPrefix } from "../../platform/db/retained-prefix.ts";
import { executionsPrefix } from "../../platform/db/table.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { releaseSpend } from "../../spending/budget/spend-store.ts";
import { buildWaitCheckpoint } from "../checkpoints/checkpoint-store.ts";
import { buildWaitingEvent } from "../hooks/wait-events.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { toStoredStep } from "../job/stored-outcome.ts";
import { toWaiting } from "../lease/to-waiting.ts";
import { toExecutionKey } from "../record/keys.ts";
import { buildWaitRequest, type WaitingExecution, wakeAtEnd } from "./build-wait-request.ts";
import type { ReachedWait } from "./open-waits.ts";
import { sendLookBack } from "./send-look-back.ts";
import { isSoon } from "./send-wake.ts";

const daySeconds = 86_400;
/** Days for which the checkpoint is kept after the wait: a wake-up may be delayed, or be a dead letter for a while. */
export const slackDays = 30;

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
  const days = Math.ceil((ends.last - now) / (daySeconds * 1_000)) + slackDays;
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
