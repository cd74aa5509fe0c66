import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { getDeletedConnector, replaceConnectorByTombstone } from "./deletion-store.ts";
import { requestPurge } from "./request-purge.ts";
import { requireAgent } from "./require-connector.ts";
import { getConnector } from "./store.ts";

/**
 * Deletes a connector: its address responds with 404 at once, queued messages are dropped, and its subscriptions,
 * chat users and conversations are purged through a queue. Throws 404. Repeating a call that failed halfway
 * requests the purge again.
 */
export const deleteConnector = async (
  tenantId: TenantId,
  ref: { agentId: string; connectorId: string },
  { db, send }: { db: Database; send: Send },
): Promise<void> => {
  const { agentId, connectorId } = ref;
  await requireAgent(db, tenantId, agentId);
  const connector = await getConnector(db, tenantId, connectorId);
  if (connector?.agentId === agentId) {
    const outcome = await replaceConnectorByTombstone(db, tenantId, connector);
    if (outcome === "written") return requestPurge(send, tenantId, ref);
  }
  const tombstone = await getDeletedConnector(db, tenantId, connectorId);
  if (tombstone?.agentId === agentId) await requestPurge(send, tenantId, ref);
  throw notFound("connector", connectorId);
};
