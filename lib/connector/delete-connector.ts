import type { Database } from "../db/database.ts";
import type { PurgeConnectorMessage } from "../queue/messages.ts";
import type { Send } from "../queue/send.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { requireConnector } from "./require-connector.ts";
import { removeConnector } from "./store.ts";

/**
 * Deletes a connector: its address answers 404 at once, what is queued is not answered any more, and its
 * subscriptions, chat users, their pending requests and what it kept of conversations go soon after, by a
 * queue. Throws 404.
 */
export const deleteConnector = async (
  tenantId: TenantId,
  place: { agentId: string; connectorId: string },
  { db, send }: { db: Database; send: Send },
): Promise<void> => {
  const { connector } = await requireConnector(db, tenantId, place);
  await removeConnector(db, tenantId, connector);
  const message: PurgeConnectorMessage = {
    type: "purge-connector",
    tenantId,
    agentId: connector.agentId,
    connectorId: connector.id,
  };
  await send("housekeeping", tenantId, message);
};
