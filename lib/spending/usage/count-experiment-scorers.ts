import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { addToCounter, type ModelUsage } from "./count-usage.ts";

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
  return addToCounter(tenantId, counter, { executionCount: 0, failedCount: 0 }, { models });
};
