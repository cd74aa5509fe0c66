import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { toExecutionKey } from "../record/keys.ts";
import { toResult } from "../record/results.ts";
import { getKeptExecution } from "../record/store.ts";
import type { ExecutionResult, Trigger } from "../schemas.ts";
import { cancelExecutionItem } from "./end-store.ts";

type CancelDeps = Pick<ExecutionDeps, "db" | "runtime"> & {
  authorize?: (trigger: Trigger | undefined) => void;
};

/**
 * Cancels an execution immediately; its run stops within seconds and then records its usage. Throws 404, and
 * 409 for an execution that has ended.
 * @param deps `authorize` throws 403 when the caller may not cancel what was started so; undefined for no execution
 */
export const cancelExecution = async (
  { db, runtime, authorize }: CancelDeps,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<ExecutionResult> => {
  const place = { agentId, executionId, now: runtime.clock() };
  const execution = await getKeptExecution(db, tenantId, place);
  authorize?.(execution?.item.trigger);
  if (!execution) throw notFound("execution record", executionId);
  const { item } = execution;
  const endTime = runtime.clock();
  if ((await cancelExecutionItem(db, toExecutionKey(item), endTime)) === "ended") {
    throw conflict(`The execution ${executionId} has ended. It cannot be cancelled any more.`);
  }
  return toResult({ ...item, status: "Cancelled", endTime });
};
