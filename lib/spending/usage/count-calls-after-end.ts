import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { addToCounter, type CountedExecution, type ModelUsage } from "./count-usage.ts";

/**
 * Why models are called for an execution after its end. `trigger`: of the counters of these calls, where executions have 0 to
 * 5. `key`: in usage by trigger.
 */
export const callsAfterEnd = {
  evaluation: { trigger: 100, key: "(evaluation)" },
  memory: { trigger: 101, key: "(memory)" },
} as const;

/** Calls of models for an execution after its end. */
type CallsAfterEnd = {
  purpose: keyof typeof callsAfterEnd;
  execution: Omit<CountedExecution, "status" | "trigger">;
  models: readonly ModelUsage[];
};

/**
 * Builds the write that adds calls of models after an execution's end to the usage of its agent, revision and UTC day of
 * start; for its condition see `countUsage`.
 */
export const countCallsAfterEnd = (
  tenantId: TenantId,
  {
    purpose,
    execution: { id, agentId, agentRevision: revision, startTime: at },
    models,
  }: CallsAfterEnd,
): TransactionWrite => {
  const counter = { agentId, revision, trigger: callsAfterEnd[purpose].trigger, id, at };
  return addToCounter(tenantId, counter, { executionCount: 0, failedCount: 0 }, { models });
};

/** Returns the cost of calls of models together, in US dollars. */
export const sumModelCosts = (models: readonly ModelUsage[]): number =>
  models.reduce((sum, { cost: { totalCost } }) => sum + totalCost, 0);
