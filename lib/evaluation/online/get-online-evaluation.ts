import type { Database } from "../../platform/db/database.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { OnlineEvaluation } from "./schemas.ts";
import { getAgentAndEvaluated } from "./store.ts";
import { toOnlineEvaluation } from "./to-online-evaluation.ts";

/** Reads an agent's online evaluation. Throws 404. */
export const getOnlineEvaluation = async (
  db: Database,
  { tenant, principal, clock }: Pick<TenantContext, "clock" | "tenant" | "principal">,
  agentId: string,
): Promise<OnlineEvaluation> => {
  const found = await getAgentAndEvaluated(db, tenant.id, agentId, toMonth(clock()));
  if (!found) throw notFound("agent", agentId);
  const { onlineEvaluation } = found.agent;
  if (!onlineEvaluation) throw notFound("online evaluation of the agent", agentId);
  return toOnlineEvaluation(onlineEvaluation, found, principal);
};
