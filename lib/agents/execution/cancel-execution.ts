import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { ExecutionDeps } from "./context.ts";
import { cancelExecutionItem } from "./end-store.ts";
import { cancelOldLease } from "./old-items.ts";
import { placeOf } from "./read-execution.ts";
import { type ExecutionResult, triggerTypes } from "./schemas.ts";
import { getExecution } from "./store.ts";
import { toResult } from "./to-result.ts";

/**
 * Cancels an execution immediately; its run stops within seconds and then records its usage. Throws 404, and
 * 409 for an execution that has ended.
 */
export const cancelExecution = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<ExecutionResult> => {
  const execution = await getExecution(db, tenantId, agentId, executionId);
  if (!execution) throw notFound("execution record", executionId);
  const { item } = execution;
  const endTime = runtime.clock();
  if ((await cancelExecutionItem(db, placeOf(item), endTime)) === "ended") {
    throw conflict(`The execution ${executionId} has ended. It cannot be cancelled any more.`);
  }
  const isOld = !execution.lease && item.trigger.type !== triggerTypes.subAgent;
  if (isOld) await cancelOldLease(db, executionId);
  return toResult({ ...item, status: "Cancelled", endTime });
};
