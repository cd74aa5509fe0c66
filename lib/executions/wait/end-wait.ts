import { retainedPrefix } from "../../platform/db/retained-prefix.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { executionsPrefix } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { Json } from "../../values/json/json.ts";
import { buildAnswer } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { resendAfterMs } from "../lease/execution-lease.ts";
import { getExecution } from "../record/store.ts";
import { buildCountAnswer, buildQueueWaiting } from "../record/waiting-store.ts";
import { finalStatuses } from "../schemas.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";

const daySeconds = 86_400;
/** Days for which the answer to an open wait is kept: its execution is continued within them. */
const usualDays = 30;

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
