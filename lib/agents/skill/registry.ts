import type { SkillRegistry } from "../../engine/flow/skill.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { ChosenId } from "../../platform/http/ids.ts";
import { getSkill } from "./store.ts";

/** Creates the registry of a tenant's skills; reads each skill when it is used. */
export const skillRegistry = ({ db }: { db: Database }, tenantId: TenantId): SkillRegistry => ({
  resolve: async (skillId) => {
    if (!ChosenId.safeParse(skillId).success) return undefined;
    const skill = await getSkill(db, tenantId, skillId);
    return skill && { ...skill, tools: skill.tools ?? [] };
  },
});
