import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteEntity } from "../../platform/deletion/delete-entity.ts";
import { getTombstone, requestPurge } from "../../platform/deletion/tombstone.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { requestSync } from "./request-sync.ts";
import { type AgentItem, getAgent, replaceWithTombstone } from "./store.ts";
import { agentTombstones } from "./tombstone.ts";

/**
 * Deletes an agent immediately; queues remove its schedules and records soon after. Throws 404, and 409 while
 * a deployed agent uses it as a sub-agent. Safe to repeat: a repeated call returns 404 and requests the
 * removal of the records again.
 */
export const deleteAgent = (
  { db, send }: { db: Database; send: Send },
  { tenantId, agentId }: { tenantId: TenantId; agentId: string },
): Promise<void> => {
  const ref = { tenantId, agentId };
  const requestPurges = async ({ isScheduled }: Pick<AgentItem, "isScheduled">) => {
    if (isScheduled) await requestSync(send, tenantId, agentId);
    await requestPurge(send, agentTombstones, ref);
  };
  return deleteEntity({
    read: () => getAgent(db, tenantId, agentId),
    replace: (agent) => {
      requireUnused(agent);
      return replaceWithTombstone(db, tenantId, agent);
    },
    requestPurge: requestPurges,
    requestLeftPurges: async () => {
      const tombstone = await getTombstone(db, agentTombstones, ref);
      if (tombstone) await requestPurges(tombstone);
    },
    missing: () => notFound("agent", agentId),
    conflict: () =>
      conflict(`The agent "${agentId}" was changed by another request. Read it and try again.`),
    attempts: 3,
  });
};

/** Throws 409 for a sub-agent of deployed agents. */
const requireUnused = ({ id, usedBy }: AgentItem): void => {
  if (usedBy.size === 0) return;
  const users = [...usedBy].sort().slice(0, 10).join(", ");
  throw conflict(
    `Deployed agents use "${id}" as a sub-agent: ${users}. Deploy them without it first.`,
  );
};
