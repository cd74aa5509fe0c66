import { type AgentItem, getAgent } from "../agent/store.ts";
import { effects } from "../auth/may.ts";
import { authorize } from "../collaborator/authorize.ts";
import type { Database } from "../db/database.ts";
import type { TenantContext } from "../edge/context.ts";
import { conflict, notFound } from "../http/problems.ts";
import type { Send } from "../queue/send.ts";
import { requestLaterSync, requestSync } from "../schedule/request-sync.ts";
import { findCircle } from "./find-circle.ts";
import { getRevisionItem, putDeployment } from "./store.ts";

const attempts = 3;

/**
 * Makes a revision the one that runs, and records who did it; an older one rolls the agent back. Schedules
 * follow by a queue, which has the message before this resolves, and before anything is written one that
 * comes later: whatever dies on the way, the schedules are those of what was deployed.
 * Throws 404, 403 for a caller who could not run the agent that it schedules, or a sub-agent, and 409 when a sub-agent that it uses does not exist, or uses this one in turn.
 */
export const deployRevision = async ({
  ctx,
  input: { agentId, revision },
  deps: { db, send },
}: {
  ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
  input: { agentId: string; revision: number };
  deps: { db: Database; send: Send };
}): Promise<AgentItem> => {
  const tenantId = ctx.tenant.id;
  const item = await getRevisionItem(db, tenantId, agentId, revision);
  if (!item) throw notFound("revision", `${agentId}/${revision}`);
  const actor = { principal: ctx.principal, tenantId };
  await authorize(db, actor, effects.run, [
    ...(item.isScheduled ? [agentId] : []),
    ...item.subAgentIds,
  ]);
  const circle = await findCircle(db, tenantId, agentId, item.subAgentIds);
  if (circle) {
    throw conflict(
      `Agents must not use each other in a circle: ${circle.join(" → ")}. Deploy one of them without the other first.`,
    );
  }
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const agent = await getAgent(db, tenantId, agentId);
    if (!agent) throw notFound("agent", agentId);
    const isScheduled = agent.isScheduled || item.isScheduled;
    if (isScheduled && attempt === 0) await requestLaterSync(send, tenantId, agentId);
    const deployedAt = ctx.clock();
    const result = await putDeployment(db, tenantId, agent, {
      revision: item,
      deployedAt,
      deployedBy: ctx.principal.id,
    });
    if (result.outcome === "written") {
      if (isScheduled) await requestSync(send, tenantId, agentId);
      return { ...agent, deployedRevision: revision, isScheduled, modifiedAt: deployedAt };
    }
    if (result.outcome === "missing") {
      throw conflict(
        `Revision ${revision} uses sub-agents that do not exist: ${result.subAgents.join(", ")}.`,
      );
    }
  }
  throw conflict(`The agent "${agentId}" is being changed by others. Read it and try again.`);
};
