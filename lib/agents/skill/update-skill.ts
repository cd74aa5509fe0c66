import type { Database } from "../../platform/db/database.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { requirePartReach } from "./require-reach-of-parts.ts";
import type { Skill, UpdateSkillBody } from "./schemas.ts";
import { changeSkill, getSkill } from "./store.ts";

/**
 * Changes the members of a skill that were sent; concurrent changes of other members are kept. Throws 403 for configs
 * and assets in sent members that the caller may not read, and 404.
 */
export const updateSkill = async (
  { db }: { db: Database },
  {
    ctx,
    skillId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "principal" | "tenant">;
    skillId: string;
    body: UpdateSkillBody;
  },
): Promise<Skill> => {
  const { displayName, description, instructions, tools, resources } = body;
  requirePartReach(ctx.principal, body);
  const sent = { displayName, description, instructions, tools, resources };
  const skill = Object.values(sent).every((value) => value === undefined)
    ? await getSkill(db, ctx.tenant.id, skillId)
    : await changeSkill(db, ctx.tenant.id, skillId, { ...sent, modifiedAt: ctx.clock() });
  if (!skill) throw notFound("skill", skillId);
  return skill;
};
