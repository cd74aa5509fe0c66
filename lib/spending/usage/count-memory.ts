import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { addToCounter, type CountedExecution, type ModelUsage } from "./count-usage.ts";

/** Trigger type of the counters of calls of models that take facts from turns; executions have 0 to 5. */
export const rememberingTrigger = 101;

/** Key of these calls in usage by trigger. */
export const rememberingKey = "(memory)";

/**
 * Builds the write that adds the calls of models by which an execution's turns are remembered to the usage of its agent,
 * revision and UTC day of start; for its condition see `countUsage`.
 */
export const countMemory = (
  tenantId: TenantId,
  {
    id,
    agentId,
    agentRevision: revision,
    startTime: at,
  }: Omit<CountedExecution, "status" | "trigger">,
  models: readonly ModelUsage[],
): TransactionWrite => {
  const counter = { agentId, revision, trigger: rememberingTrigger, id, at };
  return addToCounter(tenantId, counter, { executionCount: 0, failedCount: 0 }, { models });
};
