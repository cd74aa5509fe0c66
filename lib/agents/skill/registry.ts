import type { FlowSkill, SkillRegistry } from "../../engine/flow/skill.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { ChosenId } from "../../platform/http/ids.ts";
import { getSkill } from "./store.ts";

/** Creates the registry of a tenant's skills for a run; reads each skill once, when it is used. */
export const skillRegistry = ({ db }: { db: Database }, tenantId: TenantId): SkillRegistry => {
  const known = new Map<string, Promise<FlowSkill | undefined>>();
  const read = async (skillId: string): Promise<FlowSkill | undefined> => {
    const skill = await getSkill(db, tenantId, skillId);
    return skill && { ...skill, tools: skill.tools ?? [], resources: skill.resources ?? [] };
  };
  return {
    resolve: async (skillId) => {
      if (!ChosenId.safeParse(skillId).success) return undefined;
      const reading = known.get(skillId) ?? read(skillId);
      known.set(skillId, reading);
      try {
        return await reading;
      } catch (error) {
        known.delete(skillId);
        throw error;
      }
    },
  };
};
