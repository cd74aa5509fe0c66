import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { requestPurge } from "./request-purge.ts";
import { requestSync } from "./request-sync.ts";
import { getAgent, getTombstone, replaceWithTombstone } from "./store.ts";

/**
 * Deletes an agent immediately; queues remove its schedules and records soon after. Throws 404, and 409 while
 * a deployed agent uses it as a sub-agent. Safe to repeat: a repeated call returns 404 and requests the
 * removal of the records again.
 */
export const deleteAgent = async (
  tenantId: TenantId,
  agentId: string,
  { db, send }: { db: Database; send: Send },
): Promise<void> => {
  return retryOnConflict(
    {
      attempts: 3,
      error: () =>
        conflict(`The agent "${agentId}" was changed by another request. Read it and try again.`),
    },
    async () => {
      const agent = await getAgent(db, tenantId, agentId);
      if (!agent) {
        const tombstone = await getTombstone(db, tenantId, agentId);
        if (tombstone) {
          if (tombstone.isScheduled) await requestSync(send, tenantId, agentId);
          await requestPurge(send, tenantId, agentId);
        }
        throw notFound("agent", agentId);
      }
      if (agent.usedBy.size > 0) {
        const users = [...agent.usedBy].sort().slice(0, 10).join(", ");
        throw conflict(
          `Deployed agents use "${agentId}" as a sub-agent: ${users}. Deploy them without it first.`,
        );
      }
      if ((await replaceWithTombstone(db, tenantId, agent)) === "changed") return "changed";
      if (agent.isScheduled) await requestSync(send, tenantId, agentId);
      return requestPurge(send, tenantId, agentId);
    },
  );
};
