import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import { retainedPrefix } from "../../platform/db/retained-prefix.ts";
import { executionsPrefix } from "../../platform/db/table.ts";
import { transact } from "../../platform/db/transact.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { releaseSpend } from "../../spending/budget/spend-store.ts";
import { buildWaitCheckpoint, putWait } from "../checkpoints/checkpoint-store.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInTrace } from "../job/masks.ts";
import { toWaiting } from "../lease/to-waiting.ts";
import type { WakeExecutionMessage } from "../messages.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import type { RunWaits } from "./open-waits.ts";
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
  waits: ReturnType<RunWaits["list"]>;
  /** Until when the execution waits at most, with the waits of its sub-agents. Unix milliseconds. */
  until: number;
  /** All finished steps, of earlier runs too. */
  outcomes: readonly StepOutcome[];
  /** US dollars reserved for it, and those of them that it has spent. */
  reserved: number;
  spent: number;
};

/** Writes of one transaction that stores waits; the others are stored before. */
const maxTogether = 90;

/**
 * Makes an execution `Waiting`, in one transaction with its waits and the checkpoint of its steps: it then has no lease
 * and no reservation beyond what it spent, and its 15 minutes stand still. Requests the wake-ups before, so that none is
 * lost: one that comes too early is deferred. Returns "not-open" when it was cancelled, deleted, or is held by another run.
 */
export const beginWait = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "send">,
  { job, root, waits, until, outcomes, reserved, spent }: WaitingRun,
): Promise<"waiting" | "not-open"> => {
  const { db, objects, runtime, send } = deps;
  const { tenantId, agent, item } = job;
  const key = toExecutionKey(item);
  const now = runtime.clock();
  const fresh = waits.filter(({ isNew }) => isNew);
  // The wake-up of a known wait that ends soon may have come before; a later one has its schedule.
  const woken = waits.filter(({ isNew, until: at }) => isNew || isSoon(at, now));
  await Promise.all(
    woken.map(({ path, until: end }) => {
      const { agentId, executionId } = root;
      const at = Math.max(end, now + leastDelayMs);
      const wait = { waitingId: item.id, path, at };
      const message = { type: "wake-execution" as const, tenantId, agentId, executionId, ...wait };
      return sendWake(send, message satisfies WakeExecutionMessage, now);
    }),
  );
  const days = Math.ceil((until - now) / (daySeconds * 1_000)) + slackDays;
  const ttl = Math.ceil(now / 1_000) + days * daySeconds;
  const folder = `${retainedPrefix(executionsPrefix, days)}/${tenantId}/${agent.id}`;
  const secrets = jobSecrets(job).inTraces;
  const checkpoint = await buildWaitCheckpoint(objects, key, {
    outcomes: outcomes.map((step) => ({ ...step, spans: maskInTrace(step.spans, secrets) })),
    objectKey: `${folder}/${item.id}/WAIT#${newUuid(runtime)}`,
    ttl,
  });
  const puts = fresh.map(({ isNew: _, ...wait }) => putWait(key, wait, ttl));
  for (const { Put } of puts.slice(maxTogether)) if (Put) await putItem(db, Put);
  const { written } = await transact(db, [
    toWaiting(job, { root, now, reserved, spent }),
    checkpoint,
    ...puts.slice(0, maxTogether),
    ...releaseSpend(tenantId, item, {
      amount: agent.budget?.amount ?? null,
      unused: reserved - Math.min(reserved, spent),
    }),
  ]);
  return written ? "waiting" : "not-open";
};
