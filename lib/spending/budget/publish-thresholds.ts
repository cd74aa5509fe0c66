import type { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { crossThresholds, type ThresholdDeps } from "./cross-thresholds.ts";
import type { BudgetedAgent } from "./schemas.ts";

/** Publishes the percents of an agent's budget that were newly reached; best effort, never throws. */
export const publishThresholds = async (
  deps: ThresholdDeps,
  tenantId: TenantId,
  agent: BudgetedAgent,
  month: string,
): Promise<void> => {
  try {
    for (const percent of await crossThresholds(deps, tenantId, agent, month)) {
      log("budget-threshold-crossed", { tenantId, agentId: agent.id, percent });
    }
  } catch (error) {
    log("budget-thresholds-unchecked", { error: asError(error) });
  }
};
