import type * as z from "zod";
import { ifExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteItem, putItem } from "../../platform/db/write-item.ts";
import { ChosenId } from "../../platform/http/ids.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { skillKey, skillsList } from "./keys.ts";
import { Skill } from "./schemas.ts";

/** TENANT#t / SKILL#id: reads a skill. */
export const getSkill = (
  db: Database,
  tenantId: TenantId,
  skillId: string,
): Promise<Skill | undefined> => getItem(db, skillKey(tenantId, skillId), Skill);

/** TENANT#t / SKILL#ids: returns the ids of those skills that exist. */
export const existingSkills = async (
  db: Database,
  tenantId: TenantId,
  skillIds: readonly string[],
): Promise<string[]> => {
  const keys = skillIds
    .filter((id) => ChosenId.safeParse(id).success)
    .map((id) => skillKey(tenantId, id));
  const found = await getItems(db, keys, Skill.pick({ id: true }));
  return found.flatMap((skill) => (skill ? [skill.id] : []));
};

const SkillParts = Skill.pick({ tools: true, resources: true });

/** TENANT#t / SKILL#id: reads the tools and resources of skills; none for a skill that does not exist. */
export const getSkillParts = async (
  db: Database,
  tenantId: TenantId,
  skillIds: readonly string[],
): Promise<z.output<typeof SkillParts>> => {
  const keys = skillIds.map((id) => skillKey(tenantId, id));
  const found = await getItems(db, keys, SkillParts);
  return {
    tools: found.flatMap((skill) => skill?.tools ?? []),
    resources: found.flatMap((skill) => skill?.resources ?? []),
  };
};

/** TENANT#t / SKILL#…: lists the tenant's skills by id. */
export const listSkillItems = (
  db: Database,
  tenantId: TenantId,
  page: PageRequest,
): Promise<Page<Skill>> => listPage(db, Skill, { list: skillsList(tenantId) }, page);

/** TENANT#t / SKILL#…: lists the tenant's first `size` skills after an id, by id. */
export const listSkillsAfter = (
  db: Database,
  tenantId: TenantId,
  skillId: string,
  size: number,
): Promise<Page<Skill>> => {
  // Ids contain neither "!", which sorts before all characters of an id, nor "~", which sorts after
  // them.
  const between = { from: skillKey(tenantId, `${skillId}!`).sk, to: skillKey(tenantId, "~").sk };
  return listPage(db, Skill, { list: skillsList(tenantId), between }, { size, skip: 0 });
};

/** Writes a new skill; returns "taken" when the id exists. */
export const putNewSkill = async (
  db: Database,
  tenantId: TenantId,
  skill: Skill,
): Promise<"written" | "taken"> => {
  const Item = { ...listed(skillKey(tenantId, skill.id)), ...skill };
  return (await putItem(db, { Item, ...ifNew })).written ? "written" : "taken";
};

/** Members of a skill that may change; undefined members are kept. */
export type SkillChange = Partial<Omit<Skill, "id" | "type" | "createdAt">>;

/** Changes members of a skill and returns it; undefined when it does not exist. */
export const changeSkill = (
  db: Database,
  tenantId: TenantId,
  skillId: string,
  change: SkillChange & { modifiedAt: number },
): Promise<Skill | undefined> => patchItem(db, skillKey(tenantId, skillId), Skill, { set: change });

/** Removes a skill; returns whether it existed. */
export const removeSkill = async (
  db: Database,
  tenantId: TenantId,
  skillId: string,
): Promise<boolean> => {
  const Key = skillKey(tenantId, skillId);
  return (await deleteItem(db, { Key, ...ifExists })).written;
};
