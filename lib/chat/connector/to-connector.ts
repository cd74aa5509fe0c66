import type { AgentItem } from "../../agents/agent/store.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { ConnectorItem } from "./items.ts";
import type { Connector } from "./schemas.ts";

/** Maps a stored connector to its response, with its URL for the caller. */
export const toConnector = (
  { tenant, baseUrl }: Pick<TenantContext, "tenant" | "baseUrl">,
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
  webhookUrl: `${baseUrl}/v1/tenants/${tenant.id}/connectors/${item.provider}/${item.id}`,
});
