import type { Database } from "../../platform/db/database.ts";
import { requestPurge } from "../../platform/deletion/tombstone.ts";
import { conflict } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { firstOwner } from "../../tenancy/collaborator/first-owner.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { Agent, CreateAgentBody } from "./schemas.ts";
import { putNewAgent } from "./store.ts";
import { agentTombstones } from "./tombstone.ts";

/**
 * Creates an agent with the given or a new id; a user who creates it becomes its Owner. Throws 409 when the id
 * is taken, or records of a deleted agent with that id are still being removed.
 */
export const createAgent = async (
  deps: { db: Database; send: Send },
  {
    ctx,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal">;
    body: CreateAgentBody;
  },
): Promise<Agent> => {
  const now = ctx.clock();
  const agent = {
    id: body.id ?? newUuid(ctx),
    displayName: body.displayName,
    description: body.description ?? null,
    deployedRevision: null,
    latestRevision: null,
    avatarFileId: body.avatarFileId ?? null,
    createdAt: now,
    modifiedAt: now,
  };
  const owner = firstOwner(ctx.principal, agent.id, now);
  const outcome = await putNewAgent(deps.db, ctx.tenant.id, agent, owner);
  if (outcome === "taken") throw conflict(`The agent id "${agent.id}" is taken. Choose another.`);
  if (outcome === "purging") {
    await requestPurge(deps.send, agentTombstones, {
      tenantId: ctx.tenant.id,
      agentId: agent.id,
    });
    throw conflict(
      `An agent "${agent.id}" was deleted and its records are being removed. Try again shortly.`,
    );
  }
  return agent;
};
