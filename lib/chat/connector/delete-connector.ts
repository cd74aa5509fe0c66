import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import {
  getTombstone,
  replaceByTombstone,
  requestPurge,
} from "../../platform/deletion/tombstone.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { agentConnectorKey, connectorKey } from "../keys.ts";
import { requireAgent } from "./require-connector.ts";
import { getConnector } from "./store.ts";
import { connectorTombstones } from "./tombstone.ts";

/**
 * Deletes a connector: its address responds with 404 immediately, queued messages are dropped, and
 * its subscriptions, chat users and conversations are purged through a queue. Throws 404. Repeating
 * a call that failed halfway requests the purge again.
 */
export const deleteConnector = async (
  { db, send }: { db: Database; send: Send },
  { tenantId, agentId, connectorId }: { tenantId: TenantId; agentId: string; connectorId: string },
): Promise<void> => {
  const ref = { tenantId, agentId, connectorId };
  await requireAgent(db, tenantId, agentId);
  const connector = await getConnector(db, tenantId, connectorId);
  if (connector?.agentId === agentId) {
    const outcome = await replaceByTombstone(db, connectorTombstones, ref, {
      tombstone: { agentId },
      writes: [
        { Delete: { Key: connectorKey(tenantId, connectorId), ...ifExists } },
        { Delete: { Key: agentConnectorKey(tenantId, agentId, connectorId) } },
      ],
    });
    if (outcome === "written") return requestPurge(send, connectorTombstones, ref);
  }
  const tombstone = await getTombstone(db, connectorTombstones, ref);
  if (tombstone?.agentId === agentId) await requestPurge(send, connectorTombstones, ref);
  throw notFound("connector", connectorId);
};
