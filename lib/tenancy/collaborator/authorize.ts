import type { Principal } from "../../platform/auth/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { insufficientRole, insufficientScope, type Problem } from "../../platform/http/problems.ts";
import { decide, hasScope, type Requirement, type RoleDecision } from "./may.ts";
import { getHeldRoles, type HeldRole } from "./role-store.ts";

/** A principal that causes an effect, and the tenant. */
export type EffectActor = { principal: Principal; tenantId: TenantId };

/**
 * Throws 403 unless the actor may cause the effect at every one of these agents. One read for users and for keys
 * that users minted, none for other keys.
 */
export const authorizeEffect = async (
  db: Database,
  actor: EffectActor,
  requirement: Requirement,
  agentIds: readonly string[],
): Promise<void> => {
  for (const problem of (await findRefusals(db, actor, requirement, agentIds)).values()) {
    throw problem;
  }
};

/** Returns the agents at which the actor may not cause the effect, with the problems. */
export const findRefusals = async (
  db: Database,
  { principal, tenantId }: EffectActor,
  requirement: Requirement,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, Problem>> => {
  const unique = [...new Set(agentIds)];
  const asksRoles = hasScope(principal, requirement.scope);
  const held = asksRoles ? await getHeldRoles(db, tenantId, unique, principal.userIds) : [];
  const refusals = new Map<string, Problem>();
  for (const agentId of unique) {
    const roles = held.filter((grant) => grant.agentId === agentId).map(({ role }) => role);
    const problem = toRefusal(decide(principal, requirement, roles), {
      principal,
      requirement,
      agentId,
    });
    if (problem) refusals.set(agentId, problem);
  }
  return refusals;
};

/** Returns the roles of the actor's users at an agent. */
export const findHeldRoles = (
  db: Database,
  { principal, tenantId }: EffectActor,
  agentId: string,
): Promise<HeldRole[]> => getHeldRoles(db, tenantId, [agentId], principal.userIds);

/** Maps a decision to its problem; undefined when the effect is allowed. */
export const toRefusal = (
  decision: RoleDecision,
  of: { principal: Principal; requirement: Requirement; agentId: string },
): Problem | undefined => {
  if (decision.allowed) return undefined;
  const { scope } = of.requirement;
  if (decision.missing === "scope") return insufficientScope(scope);
  const isKey = of.principal.type === "ApiKey";
  return insufficientRole(scope, { ...decision, agentId: of.agentId, isKey });
};
