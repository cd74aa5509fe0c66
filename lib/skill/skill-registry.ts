import type { Database } from "../db/database.ts";
import type { SkillRegistry } from "../flow/skill.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { getSkill } from "./store.ts";

/** A tenant's skills, each read when it is used. */
export const skillRegistry = ({ db }: { db: Database }, tenantId: TenantId): SkillRegistry => ({
  resolve: (skillId) => getSkill(db, tenantId, skillId),
});
