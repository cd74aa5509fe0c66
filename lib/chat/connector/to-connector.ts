import type { AgentItem } from "../../agents/agent/store.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ConnectorItem } from "./items.ts";
import type { Connector } from "./schemas.ts";

/** Maps a stored connector to its response. */
export const toConnector = (
  tenantId: TenantId,
  item: ConnectorItem,
  agent: Pick<AgentItem, "deployedRevision">,
): Connector => ({
  id: item.id,
  name: item.name,
  agentId: item.agentId,
  agentRevision: agent.deployedRevision,
  provider: item.provider,
  parameters: item.parameters,
  active: item.active,
  policy: item.policy,
  onBoardingMessage: item.onBoardingMessage,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
  webhookUrl: `${item.baseUrl}/v1/tenants/${tenantId}/connectors/${item.provider}/${item.id}`,
});
