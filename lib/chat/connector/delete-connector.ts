import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { getDeletedConnector, replaceConnectorByMark } from "./deletion-store.ts";
import { requestPurge } from "./request-purge.ts";
import { requireAgent } from "./require-connector.ts";
import { getConnector } from "./store.ts";

/**
 * Deletes a connector: its address answers 404 at once, what is queued is not answered any more, and its
 * subscriptions, chat users, their pending requests and what it kept of conversations go soon after, by a
 * queue. Throws 404. A call that failed half-way may be repeated: the connector is gone by then (404), and the
 * rest is asked for again.
 */
export const deleteConnector = async (
  tenantId: TenantId,
  place: { agentId: string; connectorId: string },
  { db, send }: { db: Database; send: Send },
): Promise<void> => {
  const { agentId, connectorId } = place;
  await requireAgent(db, tenantId, agentId);
  const connector = await getConnector(db, tenantId, connectorId);
  if (connector?.agentId === agentId) {
    const outcome = await replaceConnectorByMark(db, tenantId, connector);
    if (outcome === "written") return requestPurge(send, tenantId, place);
  }
  const mark = await getDeletedConnector(db, tenantId, connectorId);
  if (mark?.agentId === agentId) await requestPurge(send, tenantId, place);
  throw notFound("connector", connectorId);
};
