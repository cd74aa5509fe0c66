import type * as z from "zod";
import type { FlowDocument } from "../../agents/revision/content.ts";
import { getSkill } from "../../agents/skill/store.ts";
import { getIntegrationConfig } from "../../integrations/config/store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { ChosenId } from "../../platform/http/ids.ts";
import { isRecord } from "../../values/json/json.ts";
import type { RevisionVersions } from "./schemas.ts";

type Flow = z.output<typeof FlowDocument>;
type Named = { skills: Set<string>; configs: Set<string> };

/** Returns the versions of the skills and integration configs that a revision's flow names, as they are now. */
export const findVersions = async (
  db: Database,
  tenantId: TenantId,
  revision: number,
  flow: Flow,
): Promise<RevisionVersions> => {
  const named: Named = { skills: new Set(), configs: new Set() };
  collect(flow.steps, named);
  const isId = (id: string): boolean => ChosenId.safeParse(id).success;
  const skills = [...named.skills].filter(isId).map(async (id) => {
    const skill = await getSkill(db, tenantId, id);
    return { id, modifiedAt: skill?.modifiedAt ?? null };
  });
  const integrationConfigs = [...named.configs].filter(isId).map(async (id) => {
    const config = await getIntegrationConfig(db, tenantId, id);
    return { id, revision: config?.publishedRevision ?? config?.latestRevision ?? null };
  });
  return {
    revision,
    skills: await Promise.all(skills),
    integrationConfigs: await Promise.all(integrationConfigs),
  };
};

/** Collects what steps name, at any depth: `skills` of Prompts, `configId` of tools. */
const collect = (value: unknown, named: Named): void => {
  if (Array.isArray(value)) for (const item of value) collect(item, named);
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === "skills" && Array.isArray(member)) {
      for (const id of member) if (typeof id === "string") named.skills.add(id);
    } else if (name === "configId" && typeof member === "string") named.configs.add(member);
    else collect(member, named);
  }
};
