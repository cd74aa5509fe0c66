import type { Database } from "../../platform/db/database.ts";
import { conflict } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { requirePartReach } from "./require-reach-of-parts.ts";
import type { CreateSkillBody, Skill } from "./schemas.ts";
import { putNewSkill } from "./store.ts";

/** The type of all created skills: one made from a draft cannot be distinguished. */
const custom = 0;

/** Creates a skill. Throws 403 for configs and assets that the caller may not read, 409 when its id is taken. */
export const createSkill = async (
  { db }: { db: Database },
  {
    ctx,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "principal" | "tenant">; body: CreateSkillBody },
): Promise<Skill> => {
  requirePartReach(ctx.principal, body);
  const now = ctx.clock();
  const skill: Skill = {
    id: body.id,
    displayName: body.displayName,
    description: body.description,
    instructions: body.instructions ?? null,
    tools: body.tools ?? null,
    resources: body.resources ?? null,
    type: custom,
    createdAt: now,
    modifiedAt: now,
  };
  if ((await putNewSkill(db, ctx.tenant.id, skill)) === "written") return skill;
  throw conflict(`The skill id "${body.id}" is taken. Choose another.`);
};
