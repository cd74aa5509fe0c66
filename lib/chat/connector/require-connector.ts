import { type AgentItem, getAgent } from "../../agents/agent/store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { ConnectorItem } from "./items.ts";
import { getConnector } from "./store.ts";

/** Returns an agent. Throws 404. */
export const requireAgent = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
): Promise<AgentItem> => {
  const agent = await getAgent(db, tenantId, agentId);
  if (!agent) throw notFound("agent", agentId);
  return agent;
};

/** Returns a connector and its agent. Throws 404, also for another agent's connector. */
export const requireConnector = async (
  db: Database,
  tenantId: TenantId,
  { agentId, connectorId }: { agentId: string; connectorId: string },
): Promise<{ agent: AgentItem; connector: ConnectorItem }> => {
  const [agent, connector] = await Promise.all([
    requireAgent(db, tenantId, agentId),
    getConnector(db, tenantId, connectorId),
  ]);
  if (connector?.agentId !== agentId) throw notFound("connector", connectorId);
  return { agent, connector };
};
