import type { Database } from "../../platform/db/database.ts";
import { conflict } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { requireReachOfTools } from "./require-reach-of-tools.ts";
import type { CreateSkillBody, Skill } from "./schemas.ts";
import { putNewSkill } from "./store.ts";

/** The type of all created skills: one made from a draft can't be told apart. */
const custom = 0;

/** Creates a skill. Throws 403 for tools of configs that the caller may not read, 409 when its id is taken. */
export const createSkill = async ({
  ctx,
  input,
  deps: { db },
}: {
  ctx: Pick<TenantContext, "clock" | "principal" | "tenant">;
  input: CreateSkillBody;
  deps: { db: Database };
}): Promise<Skill> => {
  requireReachOfTools(ctx.principal, input.tools);
  const now = ctx.clock();
  const skill: Skill = {
    id: input.id,
    displayName: input.displayName,
    description: input.description,
    instructions: input.instructions ?? null,
    tools: input.tools ?? null,
    resources: input.resources ?? null,
    type: custom,
    createdAt: now,
    modifiedAt: now,
  };
  if ((await putNewSkill(db, ctx.tenant.id, skill)) === "written") return skill;
  throw conflict(`The skill id "${input.id}" is taken. Choose another.`);
};
