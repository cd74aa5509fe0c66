import type { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { AgentItem } from "../agent/store.ts";
import { type CrossingDeps, crossThresholds } from "./cross-thresholds.ts";

/** Has it told which percents of an agent's budget are newly reached. What it belongs to is done: it never fails. */
export const raiseThresholds = async (
  deps: CrossingDeps,
  tenantId: TenantId,
  agent: Pick<AgentItem, "id" | "createdAt" | "budget">,
  month: string,
): Promise<void> => {
  try {
    for (const percent of await crossThresholds(deps, tenantId, agent, month)) {
      log().warn("budget threshold crossed", { tenantId, agentId: agent.id, percent });
    }
  } catch (error) {
    log().error("budget thresholds could not be checked", { error: asError(error) });
  }
};
