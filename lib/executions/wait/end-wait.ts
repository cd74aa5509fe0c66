import { retainedPrefix } from "../../platform/db/retained-prefix.ts";
import { executionsPrefix } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { Json } from "../../values/json/json.ts";
import { buildAnswer } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { resendAfterMs } from "../lease/execution-lease.ts";
import { buildQueueWaiting, getExecution } from "../record/store.ts";
import { finalStatuses } from "../schemas.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";
import { sendWake } from "./send-wake.ts";

const daySeconds = 86_400;
/** Days for which the answer to an open wait is kept: its execution is continued within them. */
const usualDays = 30;
/** A wake-up is sent before the answer is written. */
const wakeDelayMs = 1_000;

/** A wait and its answer. */
export type EndedWait = {
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

/**
 * Ends a wait with its one answer, and continues its execution, in one transaction. An execution that runs continues when
 * it waits. Returns "answered" where there is an answer already or the condition of a write does not hold, and "over"
 * where the execution has ended or was deleted.
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
  const queue = buildQueueWaiting(rootKey, now + resendAfterMs(1));
  const first = await transact(db, [...own, { Update: queue }]);
  if (first.written) {
    await enqueueExecutions(send, tenantId, [{ agentId: root.agentId, id: root.executionId }]);
    return "ended";
  }
  if (first.failed.slice(0, own.length).includes(true)) return "answered";
  const running = await getExecution(db, tenantId, root.agentId, root.executionId);
  if (!running || finalStatuses.has(running.item.status)) return "over";
  const wake = { waitingId: executionId, path, kind: "Timer" as const, at: now + wakeDelayMs };
  await sendWake(send, { type: "wake-execution", tenantId, ...root, ...wake }, now);
  return (await transact(db, own)).written ? "ended" : "answered";
};
