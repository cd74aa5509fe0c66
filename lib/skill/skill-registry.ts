import type { Database } from "../db/database.ts";
import type { SkillRegistry } from "../flow/skill.ts";
import { ChosenId } from "../http/ids.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { getSkill } from "./store.ts";

/** A tenant's skills, each read when it is used. */
export const skillRegistry = ({ db }: { db: Database }, tenantId: TenantId): SkillRegistry => ({
  resolve: async (skillId) => {
    if (!ChosenId.safeParse(skillId).success) return undefined;
    const skill = await getSkill(db, tenantId, skillId);
    return skill && { ...skill, tools: skill.tools ?? [] };
  },
});
