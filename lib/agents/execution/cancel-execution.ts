import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { ExecutionDeps } from "./context.ts";
import { cancelExecutionItem } from "./end-store.ts";
import type { ExecutionResult } from "./schemas.ts";
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
  if ((await cancelExecutionItem(db, tenantId, item, endTime)) === "ended") {
    throw conflict(`The execution ${executionId} has ended. It cannot be cancelled any more.`);
  }
  return toResult({ ...item, status: "Cancelled", endTime });
};
