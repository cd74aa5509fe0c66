import { monthOf } from "../../agents/budget/month.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { OnlineEvaluation } from "./schemas.ts";
import { getAgentAndEvaluated } from "./store.ts";

/** Reads an agent's online evaluation. Throws 404. `now`: Unix milliseconds. */
export const getOnlineEvaluation = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  now: number,
): Promise<OnlineEvaluation> => {
  const found = await getAgentAndEvaluated(db, tenantId, agentId, monthOf(now));
  if (!found) throw notFound("agent", agentId);
  const { onlineEvaluation } = found.agent;
  if (!onlineEvaluation) throw notFound("online evaluation of the agent", agentId);
  return { agentId, ...onlineEvaluation, evaluatedThisMonth: found.evaluated };
};
