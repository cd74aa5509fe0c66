import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { addToCounter, type CountedExecution, type ModelUsage } from "./count-usage.ts";

const noExecutions = { executionCount: 0, failedCount: 0 };

/** Key of the usage of experiments' judges. No agent's id begins with "(". */
export const experimentsKey = "(experiments)";

/** Calls of models by the scorers of an execution. `at`: its start, Unix milliseconds. */
export type ScorerCalls = { id: string; at: number; models: readonly ModelUsage[] };

/** Builds the write that counts the calls of the scorers of an experiment's run; for its condition see `countUsage`. */
export const countExperimentScorers = (
  tenantId: TenantId,
  { id, at, models }: ScorerCalls,
): TransactionWrite => {
  const counter = { agentId: experimentsKey, revision: 0, trigger: 0, id, at };
  return addToCounter(tenantId, counter, noExecutions, { models });
};

/** Trigger type of the counters of scorers' calls of models; executions have 0 to 5. */
export const evaluationTrigger = 100;

/** Key of these calls in usage by trigger. */
export const evaluationKey = "(evaluation)";

/**
 * Builds the write that adds a scorer's calls of models to the usage of the scored execution's agent, revision and UTC day
 * of start; for its condition see `countUsage`.
 */
export const countEvaluation = (
  tenantId: TenantId,
  {
    id,
    agentId,
    agentRevision: revision,
    startTime: at,
  }: Omit<CountedExecution, "status" | "trigger">,
  models: readonly ModelUsage[],
): TransactionWrite => {
  const counter = { agentId, revision, trigger: evaluationTrigger, id, at };
  return addToCounter(tenantId, counter, noExecutions, { models });
};
