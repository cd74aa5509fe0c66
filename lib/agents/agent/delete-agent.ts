import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { requestSync } from "../schedule/request-sync.ts";
import { requestPurge } from "./request-purge.ts";
import { getAgent, getDeletedMark, replaceAgentByMark } from "./store.ts";

const attempts = 3;

/**
 * Deletes an agent: at once for everybody who looks, its schedules and records soon after by queues.
 * Throws 404, and 409 while a deployed agent uses it as a sub-agent. A call that failed half-way may be
 * repeated: the agent is gone by then (404), and its records are asked for again.
 */
export const deleteAgent = async (
  tenantId: TenantId,
  agentId: string,
  { db, send }: { db: Database; send: Send },
): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const agent = await getAgent(db, tenantId, agentId);
    if (!agent) {
      const mark = await getDeletedMark(db, tenantId, agentId);
      if (mark) {
        if (mark.isScheduled) await requestSync(send, tenantId, agentId);
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
    if ((await replaceAgentByMark(db, tenantId, agent)) === "written") {
      if (agent.isScheduled) await requestSync(send, tenantId, agentId);
      return requestPurge(send, tenantId, agentId);
    }
  }
  throw conflict(`The agent "${agentId}" is being changed by others. Read it and try again.`);
};
